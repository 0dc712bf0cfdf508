package io.isotail.monitor.tail;

import io.isotail.incremental.record.LogStart;
import io.isotail.incremental.record.RowChange;
import io.isotail.ingest.sql.Identities;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Producer;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.replication.LogSequenceNumber;
import org.postgresql.replication.PGReplicationStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the log of one PostgreSQL database until it is told to stop, through a replication slot
 * that the server drops with the connection. Where the connection is lost it begins anew.
 *
 * <p>Bound: the server keeps {@value #MOST_KEPT} bytes of log for it at most; then it gives the
 * slot up and begins anew.
 */
public final class WalTail implements LogTail {
  private static final Logger LOG = LoggerFactory.getLogger(WalTail.class);

  private static final Duration MARK = Duration.ofMillis(200);
  private static final Duration VISIBLE = Duration.ofMillis(5);
  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final Duration LOOK = Duration.ofSeconds(5);
  private static final Duration STATUS = Duration.ofSeconds(5);
  private static final Duration CLOSE = Duration.ofSeconds(10);
  private static final long MOST_KEPT = 1L << 30;

  /** Of all that isotail writes into the log; the rest tells one process from another. */
  private static final String PREFIX = "isotail ";

  private final String address;
  private final Callable<Connection> connections;
  private final Callable<Connection> replications;
  private final Supplier<Producer<byte[], byte[]>> producers;
  private final String topic;
  private final String history;
  private final Identities identities;
  private final String publication;
  private final String prefix = PREFIX + UUID.randomUUID();
  private final CountDownLatch closing = new CountDownLatch(1);
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile @Nullable Reading reading;
  private String lastWords = "";

  /**
   * Nothing is followed yet.
   *
   * @param address of the server, for people
   * @param connections opens a connection to the database, for questions beside the log
   * @param replications opens one for replication
   * @param producers opens a producer of the stream
   * @param publication names the tables whose changes are told; it is made if there is none
   */
  public WalTail(
      String address,
      Callable<Connection> connections,
      Callable<Connection> replications,
      Supplier<Producer<byte[], byte[]>> producers,
      String topic,
      String history,
      Identities identities,
      String publication) {
    this.address = address;
    this.connections = connections;
    this.replications = replications;
    this.producers = producers;
    this.topic = topic;
    this.history = history;
    this.identities = identities;
    this.publication = publication;
  }

  @Override
  public void run() throws InterruptedException {
    boolean begun = false;
    try {
      while (isWanted()) {
        try (WalServer server = new WalServer(connections.call())) {
          WalTables tables = usable(server);
          begun = true;
          follow(server, tables);
        } catch (InterruptedException e) {
          throw e;
        } catch (IllegalStateException e) {
          if (!begun) {
            throw e;
          }
          pause(e);
        } catch (Exception e) {
          if (!begun && isRefusal(e)) {
            throw new IllegalStateException(words(e), e);
          }
          pause(e);
        }
      }
    } finally {
      closed.countDown();
    }
  }

  private boolean isWanted() {
    return closing.getCount() > 0;
  }

  /** Whether the server does not let this user in. */
  private static boolean isRefusal(Exception why) {
    return why instanceof SQLException e
        && e.getSQLState() != null
        && (e.getSQLState().startsWith("28") || e.getSQLState().startsWith("3D"));
  }

  private static String words(Throwable why) {
    return why.getMessage() == null ? why.toString() : why.getMessage();
  }

  /** What is wrong is said once, as long as it stays the same. */
  private void pause(Exception why) throws InterruptedException {
    if (isWanted()) {
      if (!words(why).equals(lastWords)) {
        LOG.warn("the log of {} is not followed at the moment: {}", address, words(why));
      }
      lastWords = words(why);
      closing.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  @Override
  public List<String> check() throws Exception {
    try (WalServer server = new WalServer(connections.call())) {
      boolean there = requireUsable(server);
      WalTables tables = server.tables(publication);
      Set<String> names = new TreeSet<>(tables.names());
      List<String> lines = new ArrayList<>();
      lines.add(
          "%d tables of database %s would be told: %s"
              .formatted(names.size(), server.name(), String.join(", ", names)));
      if (!tables.addable().isEmpty()) {
        lines.add(
            "and those of: " + WalServer.publishing(publication, there, tables.addable()) + ";");
      }
      tables.why().forEach((table, why) -> lines.add("not %s: %s".formatted(table, why)));
      return lines;
    }
  }

  /**
   * Whether there is the publication already.
   *
   * @throws IllegalStateException if the server cannot be followed, saying what to do
   */
  private boolean requireUsable(WalServer server) throws SQLException {
    List<String> problems = server.problems();
    boolean there = problems.isEmpty() && server.hasPublication(publication);
    if (there) {
      problems = server.problemsOf(publication);
    }
    if (!problems.isEmpty()) {
      throw new IllegalStateException(String.join("; ", problems));
    }
    return there;
  }

  /**
   * The tables that the log can tell, after the publication was made, or they were added to it.
   *
   * @throws IllegalStateException if it can tell none, saying what to do
   */
  private WalTables usable(WalServer server) throws SQLException {
    boolean there = requireUsable(server);
    WalTables tables = server.tables(publication);
    if (!tables.addable().isEmpty()) {
      try {
        server.publish(publication, there, tables.addable());
        tables = server.tables(publication);
      } catch (SQLException e) {
        String statement = WalServer.publishing(publication, there, tables.addable());
        String advice = "%s; whoever owns the tables can say %s".formatted(words(e), statement);
        if (!there) {
          throw new IllegalStateException(advice, e);
        }
        LOG.warn("some tables are not told: {}", advice);
      }
    } else if (!there) {
      throw new IllegalStateException(
          "no table of the database can be told: %s".formatted(tables.why()));
    }
    tables.why().forEach((table, why) -> LOG.info("table {} is not told: {}", table, why));
    return tables;
  }

  /** Follows the log from now on until something is lost, or it is told to stop. */
  private void follow(WalServer server, WalTables tables) throws Exception {
    String slot = "isotail_" + UUID.randomUUID().toString().substring(0, 8);
    long oldest = server.ids().oldest();
    try (Connection replication = replications.call();
        LogTeller teller = new LogTeller(producers.get(), topic, history)) {
      PGConnection postgres = replication.unwrap(PGConnection.class);
      LogSequenceNumber from =
          postgres
              .getReplicationAPI()
              .createReplicationSlot()
              .logical()
              .withSlotName(slot)
              .withOutputPlugin("pgoutput")
              .withTemporaryOption()
              .make()
              .getConsistentPoint();
      long next = server.ids().next();
      Set<String> names = tables.names();
      long database = server.database();
      teller.begin(
          source -> new LogStart(source, database, oldest, next, true, names, null, Set.of()));
      LOG.info(
          "the log of database {} at {} is told to history {}: {} tables, from transaction {} on",
          server.name(),
          address,
          history,
          names.size(),
          next);
      lastWords = "";
      PGReplicationStream stream =
          postgres
              .getReplicationAPI()
              .replicationStream()
              .logical()
              .withSlotName(slot)
              .withStartPosition(from)
              .withSlotOption("proto_version", "1")
              .withSlotOption("publication_names", '"' + publication.replace("\"", "\"\"") + '"')
              .withSlotOption("messages", "true")
              .withStatusInterval((int) STATUS.toMillis(), TimeUnit.MILLISECONDS)
              .start();
      Reading now = new Reading(replication, stream, teller, database, tables, oldest, next);
      reading = now;
      Thread reader = new Thread(now::read, "isotail-wal");
      reader.setDaemon(true);
      reader.start();
      try {
        mark(server, teller, now, slot);
      } finally {
        reading = null;
        now.stop();
        reader.join(CLOSE.toMillis());
      }
    }
  }

  @Override
  public boolean follows() {
    return reading != null;
  }

  /** The URL of a connection for replication. */
  public static String replicating(String url) {
    String options = "replication=database&assumeMinServerVersion=10&preferQueryMode=simple";
    return url + (url.indexOf('?') < 0 ? "?" : "&") + options + "&tcpKeepAlive=true";
  }

  private void mark(WalServer server, LogTeller teller, Reading now, String slot) throws Exception {
    Set<Long> told = Set.of();
    long number = 0;
    long lookedNs = System.nanoTime();
    while (isWanted()) {
      if (server.end() != now.end()) {
        String message = Long.toString(number++);
        now.ends(server.emit(prefix, message));
        while (!now.awaitPassed(message) && isWanted()) {
          requireShort(server.kept(slot));
        }
      }
      while (isWanted() && !server.areVisible(told)) {
        closing.await(VISIBLE.toMillis(), TimeUnit.MILLISECONDS);
      }
      if (isWanted()) {
        teller.mark();
        told = now.told();
        if (System.nanoTime() - lookedNs > LOOK.toNanos()) {
          lookedNs = System.nanoTime();
          requireShort(server.kept(slot));
        }
        closing.await(MARK.toMillis(), TimeUnit.MILLISECONDS);
      }
    }
  }

  /** Whoever is behind for long keeps the server's disk full. */
  private static void requireShort(long kept) {
    if (kept > MOST_KEPT) {
      throw new IllegalStateException(
          "it fell behind: the server has kept %d MiB of log for it; expected %d at most"
              .formatted(kept >> 20, MOST_KEPT >> 20));
    }
  }

  @Override
  public void close() {
    closing.countDown();
    Reading now = reading;
    if (now != null) {
      now.stop();
    }
    try {
      closed.await(CLOSE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Reads the log in a thread of its own. */
  private final class Reading implements WalEvents.Taker {
    private final Connection connection;
    private final PGReplicationStream stream;
    private final LogTeller teller;
    private final long database;
    private final long oldest;
    private final long next;
    private final PgOutput output;
    private Set<Long> writers = new HashSet<>();
    private String passed = "";
    private long end;
    private LogSequenceNumber received = LogSequenceNumber.INVALID_LSN;
    private @Nullable Exception failure;
    private volatile boolean stopped;

    Reading(
        Connection connection,
        PGReplicationStream stream,
        LogTeller teller,
        long database,
        WalTables tables,
        long oldest,
        long next) {
      this.connection = connection;
      this.stream = stream;
      this.teller = teller;
      this.database = database;
      this.oldest = oldest;
      this.next = next;
      this.output = new PgOutput(new WalEvents(this, prefix, tables, identities, next));
    }

    void read() {
      try {
        while (!stopped) {
          output.read(stream.read());
        }
      } catch (SQLException | RuntimeException e) {
        fail(e);
      }
    }

    private synchronized void fail(Exception why) {
      failure = failure == null ? why : failure;
      notifyAll();
    }

    @Override
    public void changes(long writer, long position, boolean last, List<RowChange> rows) {
      synchronized (this) {
        writers.add(writer);
      }
      teller.changes(writer, position, last, rows);
    }

    @Override
    public void anew(Set<String> anew, Set<String> told) {
      String before = teller.source();
      try {
        teller.begin(
            source -> new LogStart(source, database, oldest, next, true, told, before, anew));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        fail(e);
      } catch (LogTeller.LostStreamException e) {
        fail(e);
      }
      LOG.info("what was told of {} does not count any more: they are others now", anew);
    }

    @Override
    public synchronized void passed(String message, long at) {
      passed = message;
      end = Math.max(end, at);
      received = stream.getLastReceiveLSN();
      notifyAll();
    }

    /** The log ended there when the last message was written, as far as that is known. */
    synchronized void ends(long place) {
      end = Math.max(end, place);
    }

    synchronized long end() {
      return end;
    }

    /**
     * All that was read when the last message had passed is told.
     *
     * @return the transactions that were told since the last time
     */
    synchronized Set<Long> told() {
      Set<Long> told = writers;
      writers = new HashSet<>();
      if (received.asLong() != 0) {
        stream.setAppliedLSN(received);
        stream.setFlushedLSN(received);
      }
      return told;
    }

    /**
     * Waits for a moment until a message has passed.
     *
     * @return whether it has
     * @throws Exception if the log cannot be read any more
     */
    synchronized boolean awaitPassed(String message) throws Exception {
      long untilNs = System.nanoTime() + LOOK.toNanos();
      while (!stopped && !passed.equals(message) && System.nanoTime() < untilNs) {
        if (failure != null) {
          throw failure;
        }
        TimeUnit.NANOSECONDS.timedWait(this, Math.max(1, untilNs - System.nanoTime()));
      }
      return passed.equals(message);
    }

    void stop() {
      stopped = true;
      synchronized (this) {
        notifyAll();
      }
      try {
        connection.abort(Runnable::run);
      } catch (SQLException e) {
        LOG.debug("the log's connection at the end", e);
      }
    }
  }
}
