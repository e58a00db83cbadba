package hdfsscan

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"net/http"
	"path"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/colinmarc/hdfs/v2"

	"github.com/winnow-scan/winnow/scanner/fetch"
)

// Options say how a cluster is reached and how its files are read.
type Options struct {
	// Client has the addresses of the namenodes, the user, and the security of the cluster.
	Client hdfs.ClientOptions

	// Name stands for the cluster in the names of its files. "": the first address.
	Name string

	// WebHDFS are URLs of the namenodes' web servers, such as http://namenode:9870. AddHosts
	// asks the first that answers.
	WebHDFS []string

	// HTTP makes the requests to WebHDFS. Nil: http.DefaultClient.
	HTTP *http.Client

	// Readers bounds the streams of one file at one time. 0: 8.
	Readers int

	// Timeout is how long a server may send nothing before the connection is given up.
	// 0: 30 seconds.
	Timeout time.Duration
}

// Cluster is an HDFS cluster. Safe for concurrent use.
type Cluster struct {
	options  Options
	name     string        // "hdfs://" and Options.Name
	meta     chan *session // of one element, which its taker has for itself; nil: not connected
	closed   chan struct{} // closed by Close
	closing  sync.Once
	namenode atomic.Pointer[string] // that answered last
}

// NewCluster returns a cluster. It is connected to when it is first asked something.
func NewCluster(o Options) *Cluster {
	o.Readers = positiveOr(o.Readers, 8)
	o.Timeout = positiveOr(o.Timeout, 30*time.Second)
	o.HTTP = cmp.Or(o.HTTP, http.DefaultClient)
	if o.Name == "" && len(o.Client.Addresses) > 0 {
		o.Name = o.Client.Addresses[0]
	}
	c := &Cluster{options: o, name: "hdfs://" + o.Name, meta: make(chan *session, 1), closed: make(chan struct{})}
	c.meta <- nil
	return c
}

// Close ends the cluster's connection to the namenode. Files must be closed before.
func (c *Cluster) Close() error {
	c.closing.Do(func() {
		close(c.closed)
		if s := <-c.meta; s != nil {
			s.close()
		}
	})
	return nil
}

// call asks the namenode something. If a connection that was there before has failed, it
// asks again with a new one.
func (c *Cluster) call(ctx context.Context, ask func(*hdfs.Client) error) error {
	var s *session
	select {
	case <-c.closed:
		return fs.ErrClosed
	case <-ctx.Done():
		return fetch.Ended(ctx)
	case s = <-c.meta:
	}
	defer func() { c.meta <- s }()
	for {
		old := s != nil
		if !old {
			var err error
			if s, err = c.connect(ctx); err != nil {
				return err
			}
		}
		err := s.do(ctx, func() error { return ask(s.client) })
		if !s.failed() {
			return err
		}
		s.close()
		s = nil
		if !old || err == nil || ctx.Err() != nil {
			return err
		}
	}
}

// stat returns the state of a file or a folder.
func (c *Cluster) stat(ctx context.Context, path string) (info fs.FileInfo, err error) {
	err = c.call(ctx, func(client *hdfs.Client) error {
		info, err = client.Stat(path)
		return err
	})
	return info, err
}

// Open opens a file. Its errors, and those of the file's methods, are an *Error, or that of
// fetch.Ended.
func (c *Cluster) Open(ctx context.Context, name string) (*File, error) {
	name = path.Clean("/" + name)
	info, err := c.stat(ctx, name)
	if err == nil {
		err = readable(info)
	}
	if err != nil {
		return nil, wrap(ctx, c.name+name, err)
	}
	f := &File{
		cluster: c, path: name, identity: c.identity(name, info), blockSize: blockSize(info),
		slots: make(chan struct{}, c.options.Readers),
	}
	f.known.Store(&known{Identity: f.identity, asked: time.Now()})
	return f, nil
}

// statusOf returns what the library knows of a file; the getters of nil return zeros.
func statusOf(info fs.FileInfo) *hdfs.FileStatus {
	status, _ := info.Sys().(*hdfs.FileStatus)
	return status
}

// readable returns what keeps the library from reading a file as its writer wrote it.
func readable(info fs.FileInfo) error {
	switch {
	case info.IsDir():
		return errors.New("is a folder")
	case statusOf(info).GetFileEncryptionInfo() != nil:
		return errors.New("is in an encryption zone: the library does not decrypt")
	case statusOf(info).GetEcPolicy() != nil:
		return errors.New("is erasure-coded: the library does not read such blocks")
	}
	return nil
}

// identity returns the identity of a state of a file. Files have an id that no other file of
// the cluster has, before or after.
func (c *Cluster) identity(name string, info fs.FileInfo) fetch.Identity {
	id := fetch.Identity{Name: c.name + name, Size: info.Size(), Modified: info.ModTime()}
	if n := statusOf(info).GetFileId(); n != 0 {
		id.Tag = strconv.FormatUint(n, 10)
	}
	return id
}

func blockSize(info fs.FileInfo) int64 {
	const usual = 128 << 20 // Hadoop's default
	return positiveOr(int64(statusOf(info).GetBlocksize()), usual)
}

func positiveOr[N int | int64 | time.Duration](n, other N) N { return cmp.Or(max(n, 0), other) }
