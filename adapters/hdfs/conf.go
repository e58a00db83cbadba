package hdfsscan

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"os"
	"os/user"
	"strings"

	"github.com/colinmarc/hdfs/v2"
	"github.com/colinmarc/hdfs/v2/hadoopconf"
)

// ParseURL divides a URL such as hdfs://namenode:8020/orders/*.parquet into the address of the
// cluster and a path. The path is taken as it stands, as Hadoop does: it has no escapes. The
// address is empty in hdfs:///orders.
func ParseURL(url string) (address, path string, err error) {
	scheme, rest, found := strings.Cut(url, "://")
	address, path, hasPath := strings.Cut(rest, "/")
	if !found || !strings.EqualFold(scheme, "hdfs") || !hasPath || strings.Contains(address, "@") {
		return "", "", fmt.Errorf("%q is not like hdfs://namenode:8020/folder/file", url)
	}
	return address, "/" + path, nil
}

// FromConf returns options for the cluster of a hdfs:// URL: a namenode's host, with its port unless
// that is 8020, or the name of a nameservice. "" stands for Hadoop's default file system. The rest is as
// Hadoop's configuration has it, in $HADOOP_CONF_DIR or $HADOOP_HOME/conf, if there is one. The
// user is $HADOOP_USER_NAME, or the one that runs the program.
//
// Where Hadoop asks for Kerberos, the host must set Client.KerberosClient.
func FromConf(address string) (Options, error) {
	conf, err := hadoopconf.LoadFromEnvironment()
	if err != nil {
		return Options{}, fmt.Errorf("in the configuration of Hadoop: %w", err)
	}
	o, err := fromConf(conf, address)
	if err != nil {
		return Options{}, err
	}
	if o.Client.User = os.Getenv("HADOOP_USER_NAME"); o.Client.User == "" {
		u, err := user.Current()
		if err != nil {
			return Options{}, err
		}
		o.Client.User = u.Username
	}
	return o, nil
}

func fromConf(conf hadoopconf.HadoopConf, address string) (Options, error) {
	if address == "" {
		var err error
		address, _, err = ParseURL(cmp.Or(conf["fs.defaultFS"], conf["fs.default.name"]) + "/")
		if err != nil || address == "" {
			return Options{}, errors.New("no namenode is named, and the configuration of Hadoop has no fs.defaultFS with one")
		}
	}
	o := Options{Name: address, Client: hdfs.ClientOptionsFromConf(conf)}
	o.Client.Addresses = nil
	if nodes := conf["dfs.ha.namenodes."+address]; nodes != "" {
		for node := range strings.SplitSeq(nodes, ",") {
			key := address + "." + strings.TrimSpace(node)
			rpc := conf["dfs.namenode.rpc-address."+key]
			if rpc == "" {
				return Options{}, fmt.Errorf("the configuration of Hadoop has no dfs.namenode.rpc-address.%s", key)
			}
			o.Client.Addresses = append(o.Client.Addresses, rpc)
			o.addWebHDFS(conf["dfs.namenode.http-address."+key])
		}
		return o, nil
	}
	if _, _, err := net.SplitHostPort(address); err != nil {
		address = net.JoinHostPort(strings.Trim(address, "[]"), "8020")
	}
	o.Client.Addresses = []string{address}
	o.addWebHDFS(conf["dfs.namenode.http-address"])
	return o, nil
}

// addWebHDFS adds the address of a namenode's web server, unless it is that of all networks.
func (o *Options) addWebHDFS(address string) {
	if host, _, err := net.SplitHostPort(address); err == nil && !net.ParseIP(host).IsUnspecified() && host != "" {
		o.WebHDFS = append(o.WebHDFS, "http://"+address)
	}
}
