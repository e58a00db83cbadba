package hdfsscan

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/winnow-scan/winnow/scanner/fetch"
)

// Split is a range of a file for one of several processes. It can be stored and sent as JSON. A scan
// with scanner.Options.Split set to Range reads its row groups. A process that has opened the file
// compares its identity with File: the other splits may be of another state.
type Split struct {
	File  fetch.Identity
	Range fetch.Range

	// Hosts have the bytes of Range on their disks, those with the most first. They are a hint:
	// which datanode a read goes to is the namenode's and the library's to say.
	Hosts []string `json:",omitempty"`
}

// Splits cuts the file into ranges of size bytes, or of a block if size is 0. There are
// splits without a row group if they are smaller than row groups are.
func (f *File) Splits(size int64) []Split {
	if size <= 0 {
		size = f.blockSize
	}
	var splits []Split
	for off := int64(0); off < f.Size(); {
		r := fetch.Range{Off: off, Len: min(size, f.Size()-off)}
		splits = append(splits, Split{File: f.identity, Range: r})
		off = r.End()
	}
	return splits
}

// AddHosts sets the Hosts of splits of the file, by one request to WebHDFS. After an error they
// have none.
func (f *File) AddHosts(ctx context.Context, splits []Split) error {
	err := errors.New("no address of WebHDFS is known")
	var blocks []block
	for _, server := range f.cluster.options.WebHDFS {
		if blocks, err = f.blocks(ctx, server); err == nil || ctx.Err() != nil {
			break
		}
	}
	for i := range splits {
		splits[i].Hosts = hostsOf(blocks, splits[i].Range)
	}
	return wrap(ctx, f.Name(), err)
}

// block is a block of a file as WebHDFS describes it.
type block struct {
	Offset, Length int64
	Hosts          []string
}

// maxAnswer bounds an answer of WebHDFS: that of 100,000 blocks has about 40 MB.
const maxAnswer = 64 << 20

// blocks asks a web server where the blocks of the file are.
func (f *File) blocks(ctx context.Context, server string) ([]block, error) {
	u, err := url.Parse(server)
	if err != nil {
		return nil, err
	}
	u = u.JoinPath("webhdfs", "v1")
	u.Path, u.RawPath = u.Path+f.path, ""
	u.RawQuery = url.Values{
		"op": {"GETFILEBLOCKLOCATIONS"}, "offset": {"0"}, "length": {strconv.FormatInt(f.Size(), 10)},
		"user.name": {f.cluster.options.Client.User},
	}.Encode()
	ctx, cancel := context.WithTimeout(ctx, f.cluster.options.Timeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, err
	}
	response, err := f.cluster.options.HTTP.Do(request)
	if err != nil {
		return nil, fmt.Errorf("WebHDFS: %w", err)
	}
	defer response.Body.Close()
	var answer struct {
		BlockLocations struct{ BlockLocation []block }
		// RemoteException is there instead if the server has failed.
		RemoteException struct{ Exception, Message string }
	}
	body := io.LimitReader(response.Body, maxAnswer)
	err = json.NewDecoder(body).Decode(&answer)
	switch e := answer.RemoteException; {
	case e.Exception != "":
		text, _, _ := strings.Cut(e.Message, "\n")
		return nil, fmt.Errorf("WebHDFS: %s: %s", e.Exception, text)
	case response.StatusCode != http.StatusOK:
		return nil, fmt.Errorf("WebHDFS: %s", response.Status)
	case err != nil:
		return nil, fmt.Errorf("WebHDFS: %w", err)
	}
	return answer.BlockLocations.BlockLocation, nil
}

// hostsOf returns the hosts that have bytes of a range, those with the most first.
func hostsOf(blocks []block, r fetch.Range) []string {
	bytes := map[string]int64{}
	for _, b := range blocks {
		if b.Offset < 0 || b.Length <= 0 || b.Offset >= r.End() {
			continue
		}
		// Not b.Offset + b.Length, which may overflow.
		end := b.Offset + min(b.Length, r.End()-b.Offset)
		if n := end - max(b.Offset, r.Off); n > 0 {
			for _, host := range b.Hosts {
				bytes[host] += n
			}
		}
	}
	return slices.SortedFunc(maps.Keys(bytes), func(a, b string) int {
		return cmp.Or(cmp.Compare(bytes[b], bytes[a]), strings.Compare(a, b))
	})
}
