package io.isotail.monitor.databases;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;

/** MariaDB of Debian: one server, or a Galera cluster on this host, each node in its folder. */
final class MariaDbServer implements DatabaseServer {
  private static final String USER = "mysql";

  /** Of each node: the server's, the group's, one for missing transactions, one for states. */
  private static final int PORTS = 4;

  private static final int STARTS = 3;

  private static final String GALERA = "/usr/lib/galera/libgalera_smm.so";

  private final Path folder;
  private final List<List<Integer>> ports = new ArrayList<>();
  private final Deque<ServerProcess> nodes = new ArrayDeque<>();
  private final List<String> options;
  private final Map<String, String> environment;

  private MariaDbServer(int count, List<String> options) throws Exception {
    this.options = List.copyOf(options);
    this.folder = ServerProcess.temporary(USER);
    // A server that starts removes what others have in a folder that they share.
    this.environment =
        Map.of("TMPDIR", ServerProcess.folder(USER, folder.resolve("tmp")).toString());
    List<Integer> free = ServerProcess.freePorts(PORTS * count);
    for (int i = 0; i < count; i++) {
      ports.add(free.subList(PORTS * i, PORTS * (i + 1)));
    }
    Path first = ServerProcess.folder(USER, folder.resolve("0"));
    ServerProcess.run(
        USER,
        folder.resolve("install.log"),
        environment,
        List.of(
            "mariadb-install-db",
            "--no-defaults",
            "--datadir=" + first,
            "--auth-root-authentication-method=normal",
            "--skip-test-db"));
    // One statement a line.
    Path init = folder.resolve("init.sql");
    Files.writeString(
        init,
        """
        CREATE DATABASE isotail;
        CREATE USER app@'%' IDENTIFIED BY 'x';
        GRANT ALL ON *.* TO app@'%' WITH GRANT OPTION;
        """);
    try {
      for (int i = 0; i < count; i++) {
        start(i, init);
      }
    } catch (Exception e) {
      close();
      throw e;
    }
  }

  /** One server. */
  static MariaDbServer single() throws Exception {
    return new MariaDbServer(1, List.of());
  }

  /** One server with a binary log of rows, and more options. */
  static MariaDbServer logged(String... more) throws Exception {
    List<String> options = new ArrayList<>(List.of("--log-bin=log", "--binlog-format=ROW"));
    options.addAll(List.of(more));
    return new MariaDbServer(1, options);
  }

  /** A cluster of so many nodes, each of which takes writes. */
  static MariaDbServer cluster(int nodes) throws Exception {
    if (!Files.isReadable(Path.of(GALERA))) {
      throw new IllegalStateException("found no %s; Debian's galera-4 has it".formatted(GALERA));
    }
    return started(nodes, List.of());
  }

  /** A cluster of so many nodes with a binary log each, that number transactions alike. */
  static MariaDbServer loggedCluster(int nodes, String... more) throws Exception {
    List<String> options =
        new ArrayList<>(
            List.of(
                "--log-bin=log",
                "--log-slave-updates=ON",
                "--server-id=5",
                "--wsrep-gtid-mode=ON",
                "--wsrep-slave-threads=4"));
    options.addAll(List.of(more));
    return started(nodes, options);
  }

  /** Nodes start one after the other, and meanwhile somebody may take a port of the last one. */
  private static MariaDbServer started(int nodes, List<String> options) throws Exception {
    for (int i = 1; ; i++) {
      try {
        return new MariaDbServer(nodes, options);
      } catch (IllegalStateException e) {
        if (i == STARTS || !String.valueOf(e.getMessage()).contains("Address already in use")) {
          throw e;
        }
      }
    }
  }

  private void start(int node, Path init) throws Exception {
    Path data = ServerProcess.folder(USER, folder.resolve(Integer.toString(node)));
    List<Integer> own = ports.get(node);
    List<String> command =
        new ArrayList<>(
            List.of(
                "mariadbd",
                "--no-defaults",
                "--datadir=" + data,
                "--port=" + own.get(0),
                "--bind-address=127.0.0.1",
                "--socket=" + folder.resolve(node + ".sock"),
                "--pid-file=" + folder.resolve(node + ".pid"),
                "--innodb-flush-log-at-trx-commit=0",
                "--innodb-buffer-pool-size=64M"));
    command.addAll(options);
    if (node == 0) {
      command.add("--init-file=" + init);
    }
    if (ports.size() > 1) {
      command.addAll(galera(node, own));
    }
    ServerProcess process =
        ServerProcess.start(USER, folder.resolve(node + ".log"), environment, command);
    nodes.push(process);
    process.await(() -> serves(node));
  }

  private List<String> galera(int node, List<Integer> own) {
    List<String> members = ports.stream().map(each -> "127.0.0.1:" + each.get(1)).toList();
    List<String> options =
        new ArrayList<>(
            List.of(
                "--binlog-format=ROW",
                "--innodb-autoinc-lock-mode=2",
                "--wsrep-on=ON",
                "--wsrep-provider=" + GALERA,
                "--wsrep-cluster-address=gcomm://" + String.join(",", members),
                "--wsrep-node-address=" + members.get(node),
                "--wsrep-node-name=node" + node,
                "--wsrep-sst-method=rsync",
                "--wsrep-sst-receive-address=127.0.0.1:" + own.get(3),
                "--wsrep-provider-options=base_host=127.0.0.1;base_port=%1$d;gmcast.listen_addr=tcp://127.0.0.1:%1$d;ist.recv_addr=127.0.0.1:%2$d;gcache.size=16M"
                    .formatted(own.get(1), own.get(2))));
    if (node == 0) {
      options.add("--wsrep-new-cluster");
    }
    return options;
  }

  private boolean serves(int node) throws Exception {
    try (Connection c = DriverManager.getConnection(url(node));
        Statement s = c.createStatement()) {
      if (ports.size() == 1) {
        return true;
      }
      try (ResultSet state = s.executeQuery("SHOW STATUS LIKE 'wsrep_local_state_comment'")) {
        return state.next() && state.getString(2).equals("Synced");
      }
    }
  }

  private String url(int node) {
    return "jdbc:mariadb://127.0.0.1:%d/isotail?user=app&password=x"
        .formatted(ports.get(node).get(0));
  }

  @Override
  public List<String> urls() {
    List<String> urls = new ArrayList<>();
    for (int i = 0; i < ports.size(); i++) {
      urls.add(url(i));
    }
    return urls;
  }

  /** The last node that was started goes first. */
  @Override
  public void close() throws IOException {
    while (!nodes.isEmpty()) {
      nodes.pop().stop();
    }
    ServerProcess.delete(folder);
  }
}
