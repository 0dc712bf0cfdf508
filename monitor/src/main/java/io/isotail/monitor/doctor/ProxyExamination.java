package io.isotail.monitor.doctor;

import io.isotail.ingest.capture.TableSurvey;
import io.isotail.ingest.jdbc.DriverReview;
import io.isotail.monitor.doctor.Diagnosis.Fact;
import io.isotail.monitor.doctor.Diagnosis.Problem;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Says the same through a proxy and past it, and tells whether the answers are alike, whether an
 * added column is seen, and whether the proxy has captured what was said.
 *
 * <p>All of it only reads, in a transaction that is rolled back. Past the proxy the same snapshot
 * is read, so that what others write meanwhile makes no difference.
 */
public final class ProxyExamination {
  /** Tables that are read. */
  private static final int MOST_TABLES = 5;

  /** Differences that are told. */
  private static final int MOST_DIFFERENCES = 10;

  private static final String ADDED = "isotail_h\\d+";
  private static final String EXTENDED = "extended";
  private static final String SIMPLE = "simple";

  private final ProxyTarget target;
  private final Lines lines;
  private final List<Fact> facts = new ArrayList<>();
  private final List<Problem> problems = new ArrayList<>();
  private int exchanges;
  private int onTables;
  private boolean compared;
  private boolean addedSeen;

  /** Nothing is looked at yet. */
  public ProxyExamination(ProxyTarget target) {
    this.target = target;
    this.lines = new Lines(target);
  }

  /**
   * Looks at all.
   *
   * @throws UnansweredException if the proxy, what is behind it, or its metrics cannot be asked
   */
  public Diagnosis run() throws UnansweredException, InterruptedException {
    CaptureCheck capture = CaptureCheck.begin(target);
    converse(EXTENDED);
    converse(SIMPLE);
    summary();
    if (capture == null) {
      fact("capture", "not asked for: --metrics HOST:PORT names the proxy's http.port");
    } else {
      capture.end(onTables);
      facts.addAll(capture.facts());
      problems.addAll(capture.problems());
    }
    return new Diagnosis(facts, null, problems);
  }

  private void converse(String mode) throws UnansweredException {
    try (Connection through = lines.through(mode);
        Connection directly = lines.directly(mode)) {
      // Functions may write for all that a proxy knows: what is rolled back has written nothing.
      through.setAutoCommit(false);
      execute(through, "SET TRANSACTION READ ONLY");
      boolean comparable = directly != null && isSameServer(through, directly, mode);
      if (mode.equals(EXTENDED)) {
        server(through);
      }
      List<Exchange.Table> tables = tables(through);
      if (mode.equals(EXTENDED)) {
        fact(
            "tables",
            tables.isEmpty()
                ? "none that a capture would observe: nothing was read from tables"
                : String.join(", ", tables.stream().map(Exchange.Table::name).toList()));
      }
      through.rollback();
      Connection other = comparable ? directly : null;
      begin(through, other);
      for (Exchange each :
          mode.equals(SIMPLE) ? Exchange.simple(tables) : Exchange.extended(tables)) {
        exchange(each, mode, through, other);
      }
      through.rollback();
      compared |= comparable;
    } catch (SQLException e) {
      problem(
          "connection",
          "in the %s protocol, it broke: %s".formatted(mode, e.getMessage()),
          "see the logs of the proxy and of the server");
    }
  }

  /** Both read one snapshot, which is not older than the transaction through the proxy. */
  private static void begin(Connection through, @Nullable Connection directly) throws SQLException {
    String begin = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY";
    execute(through, begin);
    if (directly != null) {
      directly.setAutoCommit(false);
      execute(directly, begin);
      String snapshot = first(directly, "SELECT pg_export_snapshot()").get(0);
      execute(through, "SET TRANSACTION SNAPSHOT '%s'".formatted(snapshot));
    }
  }

  private void exchange(
      Exchange exchange, String mode, Connection through, @Nullable Connection directly)
      throws SQLException {
    Answer answer = exchange.on(through);
    exchanges++;
    onTables += answer.state() == null ? exchange.onTables() : 0;
    if (answer.labels().stream().anyMatch(label -> label.matches(ADDED))) {
      addedSeen = true;
    }
    String difference = null;
    if (directly != null) {
      difference = answer.differenceFrom(exchange.on(directly), "directly");
    } else if (exchange.columns() != null && !exchange.columns().equals(answer.labels())) {
      difference =
          answer.state() == null
              ? "has the columns %s, and should have %s"
                  .formatted(answer.labels(), exchange.columns())
              : "is refused (%s)".formatted(answer.state());
    }
    if (difference == null && exchange.rows() != null) {
      difference = answer.valuesFrom(exchange.rows(), "there should be");
    }
    if (difference != null) {
      different("%s, in the %s protocol, %s".formatted(exchange.words(), mode, difference));
    }
  }

  private void different(String words) {
    if (problems.stream().filter(p -> p.subject().equals("answers")).count() < MOST_DIFFERENCES) {
      problem(
          "answers",
          words,
          "report it with the definition of the table; rewrite: false in the proxy's settings sends"
              + " every statement as it is");
    }
  }

  private void summary() {
    fact(
        "answers",
        "%d exchanges in the simple and the extended protocol; %s"
            .formatted(
                exchanges,
                target.directUrl() == null
                    ? "not compared with those past the proxy, for want of --url"
                    : compared ? "compared with those past the proxy" : "not compared"));
    if (addedSeen) {
      problem(
          "columns",
          "a column that isotail adds reaches the client",
          "report it; rewrite: false in the proxy's settings adds none");
    } else {
      fact("columns", "none that isotail adds was seen");
    }
  }

  private void server(Connection through) throws SQLException {
    List<@Nullable String> said =
        first(
            through,
            "SELECT current_setting('server_version'), current_database(), current_user,"
                + " host(inet_server_addr()), inet_server_port(), pg_is_in_recovery()");
    fact("proxy", target.proxy() + " answers");
    fact(
        "server",
        "PostgreSQL %s%s at %s, as it says; database %s, user %s"
            .formatted(
                said.get(0),
                "t".equals(said.get(5)) ? ", a standby," : "",
                said.get(3) == null ? "a local socket" : said.get(3) + ":" + said.get(4),
                said.get(1),
                said.get(2)));
    if (isTheServerItself(said.get(3), said.get(4))) {
      problem(
          "proxy",
          "%s is the server itself, as it says, and no proxy".formatted(target.proxy()),
          "connect to the address that the proxy listens on");
    }
  }

  private boolean isTheServerItself(@Nullable String address, @Nullable String port) {
    int colon = target.proxy().lastIndexOf(':');
    if (address == null || !target.proxy().substring(colon + 1).equals(port)) {
      return false;
    }
    try {
      InetAddress server = InetAddress.getByName(address);
      String host = target.proxy().substring(0, colon).replaceAll("^\\[|]$", "");
      return Arrays.asList(InetAddress.getAllByName(host)).contains(server);
    } catch (UnknownHostException e) {
      return false;
    }
  }

  private boolean isSameServer(Connection through, Connection directly, String mode)
      throws SQLException {
    String query = "SELECT current_database(), extract(epoch FROM pg_postmaster_start_time())";
    boolean same = first(through, query).equals(first(directly, query));
    if (!same && mode.equals(EXTENDED)) {
      problem(
          "server",
          "--url leads to another server or database than the proxy, so that answers cannot be"
              + " compared",
          "name in --url what stands in upstream of the proxy's settings");
    }
    return same;
  }

  /** Tables that a capture would observe and the role may read. */
  private static List<Exchange.Table> tables(Connection connection) throws SQLException {
    DriverReview any =
        DriverReview.of("jdbc:postgresql://proxy/", Map.of(), name -> null, name -> null);
    List<Exchange.Table> tables = new ArrayList<>();
    for (TableSurvey.Table table : any.examine(connection).tables()) {
      if (table.why() == null && tables.size() < MOST_TABLES) {
        Exchange.Table found = table(connection, table);
        if (found != null) {
          tables.add(found);
        }
      }
    }
    return tables;
  }

  private static Exchange.@Nullable Table table(Connection connection, TableSurvey.Table table)
      throws SQLException {
    String[] name = table.name().split("\\.", -1);
    if (name.length != 2) {
      return null;
    }
    String sql =
        "SELECT quote_ident(?) || '.' || quote_ident(?), quote_ident(a.attname), a.attname"
            + " FROM pg_catalog.pg_attribute a"
            + " WHERE a.attrelid = (quote_ident(?) || '.' || quote_ident(?))::regclass"
            + " AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < 4; i++) {
        statement.setString(i + 1, name[i % 2]);
      }
      String quoted = "";
      List<String> key = new ArrayList<>();
      List<String> columns = new ArrayList<>();
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          quoted = row.getString(1);
          columns.add(row.getString(3));
          if (table.key().contains(row.getString(3))) {
            key.add(row.getString(2));
          }
        }
      }
      return key.isEmpty() ? null : new Exchange.Table(quoted, key, columns);
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static List<@Nullable String> first(Connection connection, String sql)
      throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      List<@Nullable String> values = new ArrayList<>();
      for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
        values.add(row.getString(i));
      }
      return values;
    }
  }

  private void fact(String subject, String words) {
    facts.add(new Fact(subject, words));
  }

  private void problem(String subject, String words, String advice) {
    problems.add(new Problem(subject, words, advice));
  }
}
