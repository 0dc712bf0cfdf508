package io.isotail.monitor.tail;

import io.isotail.incremental.record.LogStart;
import io.isotail.incremental.record.RowChange;
import io.isotail.ingest.sql.Identities;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
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
 * <p>Bound: the server keeps {@value #MOST_KEPT} bytes of log for it at most, and {@value
 * #MOST_BEHIND} that were not read; then it gives the slot up and begins anew.
 */
public final class WalTail implements LogTail {
  private static final Logger LOG = LoggerFactory.getLogger(WalTail.class);

  private static final Duration MARK = Duration.ofMillis(200);
  private static final Duration VISIBLE = Duration.ofMillis(5);
  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final Duration LOOK = Duration.ofSeconds(5);
  private static final Duration STATUS = Duration.ofSeconds(5);
  private static final Duration CLOSE = Duration.ofSeconds(10);
  private static final Duration DEFINED = Duration.ofSeconds(60);
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** Bytes of log that were not read yet. */
  private static final long MOST_BEHIND = 1L << 30;

  /** Bytes of log, those included that the server keeps while older transactions run. */
  private static final long MOST_KEPT = 1L << 33;

  private static final int MIB = 20;

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

  /** A connection on which a slot is made. */
  private volatile @Nullable Connection opening;

  /** Why tables are not told, as far as that was said. */
  private final Map<String, String> said = new HashMap<>();

  /** Tables, by their oids, that the publication had: who takes one out has a reason. */
  private final Set<String> everTold = new HashSet<>();

  /** Messages that were written into the log. */
  private long messages;

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
            "and those of: "
                + WalServer.publishing(publication, there, tables.addable().keySet())
                + ";");
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
    Set<String> wanted = new TreeSet<>();
    tables
        .addable()
        .forEach(
            (name, oid) -> {
              if (!everTold.contains(oid)) {
                wanted.add(name);
              }
            });
    if (!wanted.isEmpty()) {
      try {
        server.publish(publication, there, wanted);
        tables = server.tables(publication);
      } catch (SQLException e) {
        String statement = WalServer.publishing(publication, there, wanted);
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
    everTold.addAll(tables.oids());
    tables
        .why()
        .forEach(
            (table, why) -> {
              if (!why.equals(said.put(table, why))) {
                LOG.info("table {} is not told: {}", table, why);
              }
            });
    return tables;
  }

  /** Follows the log from now on until something is lost, or it is told to stop. */
  private void follow(WalServer server, WalTables tables) throws Exception {
    String slot = "isotail_" + UUID.randomUUID().toString().substring(0, 8);
    long oldest = server.ids().oldest();
    try (Connection replication = replications.call();
        LogTeller teller = new LogTeller(producers.get(), topic, history)) {
      PGConnection postgres = replication.unwrap(PGConnection.class);
      LogSequenceNumber from = slot(replication, postgres, slot);
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
        mark(server, teller, now, tables, slot);
      } finally {
        reading = null;
        now.stop();
        reader.join(CLOSE.toMillis());
      }
    }
  }

  /** Makes the slot, which waits for all transactions that have written. */
  private LogSequenceNumber slot(Connection replication, PGConnection postgres, String name)
      throws SQLException {
    CountDownLatch made = new CountDownLatch(1);
    Thread watch = new Thread(() -> sayWhatItWaitsFor(made), "isotail-slot");
    watch.setDaemon(true);
    watch.start();
    opening = replication;
    try {
      return postgres
          .getReplicationAPI()
          .createReplicationSlot()
          .logical()
          .withSlotName(name)
          .withOutputPlugin("pgoutput")
          .withTemporaryOption()
          .make()
          .getConsistentPoint();
    } finally {
      opening = null;
      made.countDown();
    }
  }

  private void sayWhatItWaitsFor(CountDownLatch made) {
    try {
      if (!made.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
        try (WalServer server = new WalServer(connections.call())) {
          LOG.warn("the log is followed once these have ended: {}", server.writing());
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      LOG.warn("it is not known what the log waits for: {}", words(e));
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

  private void mark(WalServer server, LogTeller teller, Reading now, WalTables atFirst, String slot)
      throws Exception {
    WalTables tables = atFirst;
    String form = ""; // Tables may have been defined anew since they were looked at.
    Set<Long> told = Set.of();
    long lookedNs = System.nanoTime();
    long definedNs = lookedNs;
    while (isWanted()) {
      now.requireWhole();
      if (server.end() != now.end()) {
        pass(server, now, slot);
        String formNow = server.form(publication);
        if (!formNow.equals(form) || System.nanoTime() - definedNs > DEFINED.toNanos()) {
          definedNs = System.nanoTime();
          form = formNow;
          tables = redefine(server, now, tables, slot);
        }
      }
      while (isWanted() && !server.areVisible(told)) {
        closing.await(VISIBLE.toMillis(), TimeUnit.MILLISECONDS);
        lookedNs = look(server, now, slot, lookedNs);
      }
      if (isWanted()) {
        teller.mark();
        told = now.told();
        lookedNs = look(server, now, slot, lookedNs);
        closing.await(MARK.toMillis(), TimeUnit.MILLISECONDS);
      }
    }
  }

  /** Waits until all is read that is in the log now. */
  private void pass(WalServer server, Reading now, String slot) throws Exception {
    String message = Long.toString(messages++);
    now.ends(server.emit(prefix, message));
    while (!now.awaitPassed(message) && isWanted()) {
      requireShort(server.kept(slot));
    }
  }

  /** Tells of tables that are others now, or are there for the first time. */
  private WalTables redefine(WalServer server, Reading now, WalTables before, String slot)
      throws Exception {
    WalTables latest = usable(server);
    Set<String> others = before.othersIn(latest);
    if (!others.isEmpty()) {
      now.redefine(latest, others);
      pass(server, now, slot);
    }
    return latest;
  }

  /** Looks once in a while whether all is well, and returns when it has. */
  private long look(WalServer server, Reading now, String slot, long lookedNs) throws Exception {
    if (System.nanoTime() - lookedNs < LOOK.toNanos()) {
      return lookedNs;
    }
    now.requireWhole();
    requireShort(server.kept(slot));
    return System.nanoTime();
  }

  /** Whoever is behind for long keeps the server's disk full. */
  private static void requireShort(WalServer.Kept kept) {
    if (kept.behind() > MOST_BEHIND || kept.all() > MOST_KEPT) {
      throw new IllegalStateException(
          "the server keeps %d MiB of log for it, %d of them not read yet; expected %d and %d at most"
              .formatted(
                  kept.all() >> MIB, kept.behind() >> MIB, MOST_KEPT >> MIB, MOST_BEHIND >> MIB));
    }
  }

  @Override
  public void close() {
    closing.countDown();
    Reading now = reading;
    if (now != null) {
      now.stop();
    }
    Connection waiting = opening;
    if (waiting != null) {
      abort(waiting);
    }
    try {
      closed.await(CLOSE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void abort(Connection connection) {
    try {
      connection.abort(Runnable::run);
    } catch (SQLException e) {
      LOG.debug("the log's connection at the end", e);
    }
  }

  /** Tables that are others from a place of the log on. */
  private record Redefinition(WalTables now, Set<String> others) {}

  /** Reads the log in a thread of its own. */
  private final class Reading implements WalEvents.Taker {
    private final Connection connection;
    private final PGReplicationStream stream;
    private final LogTeller teller;
    private final long database;
    private final long oldest;
    private final long next;
    private final WalEvents events;
    private final PgOutput output;
    private volatile @Nullable Redefinition redefinition;
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
      this.events = new WalEvents(this, prefix, tables, identities, next);
      this.output = new PgOutput(events);
    }

    void read() {
      try {
        while (!stopped && isWhole()) {
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
      LOG.info("tables {} are others from here on, or new: nothing is known of their rows", anew);
    }

    /** Behind the next message tables are others. */
    void redefine(WalTables now, Set<String> others) {
      redefinition = new Redefinition(now, others);
    }

    @Override
    public void passed(String message, long at) {
      Redefinition next = redefinition;
      if (next != null) {
        redefinition = null;
        events.redefine(next.now(), next.others());
      }
      passedNow(message, at);
    }

    private synchronized void passedNow(String message, long at) {
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
      requireWhole();
      while (!stopped && !passed.equals(message) && System.nanoTime() < untilNs) {
        requireWhole();
        TimeUnit.NANOSECONDS.timedWait(this, Math.max(1, untilNs - System.nanoTime()));
      }
      return passed.equals(message);
    }

    private synchronized boolean isWhole() {
      return failure == null;
    }

    synchronized void requireWhole() throws Exception {
      if (failure != null) {
        throw failure;
      }
    }

    void stop() {
      stopped = true;
      synchronized (this) {
        notifyAll();
      }
      abort(connection);
    }
  }
}
