package hdfsscan

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"slices"
	"sync/atomic"
	"time"

	"github.com/colinmarc/hdfs/v2"

	"github.com/winnow-scan/winnow/scanner/fetch"
)

// session is a client of the library with the connections that it has made. One goroutine
// uses it at a time. The library takes no contexts; a session ends its calls by closing their
// connections.
type session struct {
	cluster *Cluster
	ctx     context.Context // ends with the session, and closes its connections
	end     context.CancelFunc
	client  *hdfs.Client // nil once it is closed
	broken  atomic.Bool  // a connection to a namenode has failed
	stream  *conn        // from a datanode; the library uses one at a time
	streams int          // from datanodes, so far
	vain    int          // streams since bytes last came
}

// connect returns a session that is connected to a namenode.
func (c *Cluster) connect(ctx context.Context) (*session, error) {
	s := &session{cluster: c}
	s.ctx, s.end = context.WithCancel(context.Background())
	o := c.options.Client
	if last := c.namenode.Load(); last != nil {
		// The library tries the addresses in order, and one may be of a server that is down.
		o.Addresses = append([]string{*last}, slices.DeleteFunc(slices.Clone(o.Addresses), func(a string) bool { return a == *last })...)
	}
	o.NamenodeDialFunc = s.namenodeDial(o.NamenodeDialFunc)
	o.DatanodeDialFunc = s.datanodeDial(o.DatanodeDialFunc)
	err := s.do(ctx, func() (err error) {
		s.client, err = hdfs.NewClient(o)
		return err
	})
	if err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

// do calls the library. Once ctx ends, it ends the session, and returns the error of
// fetch.Ended. A panic of the library, which trusts what servers send, is an error.
func (s *session) do(ctx context.Context, call func() error) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			s.end()
			err = fmt.Errorf("panic: %v", cause)
		}
	}()
	stop := context.AfterFunc(ctx, s.end)
	defer func() {
		if !stop() {
			err = fetch.Ended(ctx)
		}
	}()
	return call()
}

// failed reports whether the session is of no more use.
func (s *session) failed() bool { return s.broken.Load() || s.ctx.Err() != nil }

// closeClient closes the connection to the namenode. Files that know their blocks remain readable.
func (s *session) closeClient() {
	if s.client != nil {
		s.client.Close()
		s.client = nil
	}
}

func (s *session) close() {
	s.end() // first, as the client's Close waits for its calls
	s.closeClient()
}

// maxVain bounds the connections to datanodes that give no bytes: more than a block has replicas. The
// library would try for ever if what comes are packets without bytes.
const maxVain = 50

type dialer = func(ctx context.Context, network, address string) (net.Conn, error)

// namenodeDial returns the library's function to connect to namenodes.
func (s *session) namenodeDial(dial dialer) dialer {
	return func(_ context.Context, network, address string) (net.Conn, error) {
		c, err := s.dial(dial, network, address, 4<<10)
		if err != nil {
			return nil, err
		}
		c.failed = func() { s.broken.Store(true) }
		s.cluster.namenode.Store(&address)
		return &packets{conn: c}, nil
	}
}

// datanodeDial returns the library's function to connect to datanodes. When a stream fails, the
// library makes the next connection without closing that one.
func (s *session) datanodeDial(dial dialer) dialer {
	return func(_ context.Context, network, address string) (net.Conn, error) {
		if s.stream != nil {
			s.stream.Close()
		}
		if s.vain++; s.vain > maxVain {
			return nil, fmt.Errorf("%d connections to datanodes gave no bytes", maxVain)
		}
		c, err := s.dial(dial, network, address, 64<<10)
		if err != nil {
			return nil, err
		}
		s.stream = c
		s.streams++
		return c, nil
	}
}

func (s *session) dial(dial dialer, network, address string, buffer int) (*conn, error) {
	if dial == nil {
		dial = new(net.Dialer).DialContext
	}
	timeout := s.cluster.options.Timeout
	ctx, cancel := context.WithTimeout(s.ctx, timeout)
	defer cancel()
	inner, err := dial(ctx, network, address)
	if err != nil {
		return nil, err
	}
	c := &conn{Conn: inner, in: bufio.NewReaderSize(inner, buffer), timeout: timeout, failed: func() {}}
	c.release = context.AfterFunc(s.ctx, func() { inner.Close() })
	return c, nil
}

// conn is a connection to a server. Reads and writes fail when the server is silent for too long.
type conn struct {
	net.Conn
	in      *bufio.Reader // the library reads a few bytes at a time
	timeout time.Duration
	failed  func()
	release func() bool
}

func (c *conn) Read(b []byte) (int, error) {
	if err := c.awaitBytes(); err != nil {
		return 0, err
	}
	n, err := c.in.Read(b)
	return n, c.check(err)
}

// awaitBytes sets the deadline of the next bytes, unless there are some.
func (c *conn) awaitBytes() error {
	if c.in.Buffered() > 0 {
		return nil
	}
	return c.check(c.Conn.SetReadDeadline(time.Now().Add(c.timeout)))
}

func (c *conn) Write(b []byte) (int, error) {
	if err := c.Conn.SetWriteDeadline(time.Now().Add(c.timeout)); err != nil {
		return 0, c.check(err)
	}
	n, err := c.Conn.Write(b)
	return n, c.check(err)
}

// check reports an error to the session, and returns it.
func (c *conn) check(err error) error {
	if err == nil {
		return nil
	}
	c.failed()
	if e := (net.Error)(nil); errors.As(err, &e) && e.Timeout() {
		return fmt.Errorf("%v sent nothing for %v", c.RemoteAddr(), c.timeout)
	}
	return err
}

func (c *conn) Close() error {
	c.release()
	return c.Conn.Close()
}

// SetDeadline does nothing: the library calls it with the deadline that it has, none.
func (c *conn) SetDeadline(time.Time) error { return nil }

// packets is a connection to a namenode, which sends packets behind their lengths. The library
// makes room for a packet before it comes.
//
//	[length: 4 bytes, big-endian][packet]
type packets struct {
	*conn
	left int64 // bytes of the length and the packet that are being read
}

// maxPacket is the longest packet of a namenode: the limit of Hadoop's own clients.
const maxPacket = 128 << 20

func (p *packets) Read(b []byte) (int, error) {
	if p.left == 0 {
		if err := p.awaitBytes(); err != nil {
			return 0, err
		}
		length, err := p.in.Peek(4)
		if err != nil {
			return 0, p.check(err)
		}
		n := int64(binary.BigEndian.Uint32(length))
		if n > maxPacket {
			return 0, p.check(fmt.Errorf("%v sent a packet of %d bytes: no namenode does", p.RemoteAddr(), n))
		}
		p.left = 4 + n
	}
	n, err := p.conn.Read(b[:min(int64(len(b)), p.left)])
	p.left -= int64(n)
	return n, err
}
