package io.isotail.monitor.tail;

import com.github.shyiko.mysql.binlog.BinaryLogClient;
import com.github.shyiko.mysql.binlog.event.Event;
import com.github.shyiko.mysql.binlog.event.deserialization.EventDeserializer;
import com.github.shyiko.mysql.binlog.event.deserialization.EventDeserializer.CompatibilityMode;
import com.github.shyiko.mysql.binlog.network.ServerException;
import io.isotail.incremental.record.LogStart;
import io.isotail.ingest.sql.Identities;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.logging.Level;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the binary log of one MariaDB server until it is told to stop; of a Galera cluster, that
 * of one node. Where the connection is lost, or another process stopped before, it goes on behind
 * what was told; where something was lost it begins anew.
 */
public final class Tail implements LogTail {
  private static final Logger LOG = LoggerFactory.getLogger(Tail.class);

  /**
   * What the client says by itself, of each connection: it is kept, since a level that nobody holds
   * is forgotten. That the log is followed, or not, stands in this class's own words.
   */
  private static final java.util.logging.Logger CLIENT =
      java.util.logging.Logger.getLogger(BinaryLogClient.class.getPackageName());

  static {
    if (CLIENT.getLevel() == null) {
      CLIENT.setLevel(Level.WARNING); // Where somebody has asked for more, it is said.
    }
  }

  private static final Duration MARK = Duration.ofMillis(200);
  private static final Duration VISIBLE = Duration.ofMillis(20);
  private static final Duration LOOK = Duration.ofSeconds(5);
  private static final Duration CATCH_UP = Duration.ofMinutes(10);
  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final Duration SERVER_BEAT = Duration.ofSeconds(2);
  private static final Duration SILENCE = Duration.ofSeconds(20);
  private static final Duration CONNECT = Duration.ofSeconds(10);

  /** Number of the server's error that it cannot read its log. */
  private static final int LOG_NOT_READ = 1236;

  private final TailTarget target;
  private final List<TailTarget> others;
  private final Connections connections;
  private final Supplier<Producer<byte[], byte[]>> producers;
  private final String topic;
  private final String history;
  private final Identities identities;
  private final long serverId;
  private final LogPlaces places;
  private final CountDownLatch closing = new CountDownLatch(1);
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile @Nullable Reading reading;
  private String lastWords = "";

  /** Up to where the log is told for certain; null if that does not count. */
  private @Nullable LogPlace told;

  /** The mark behind that. */
  private @Nullable RecordMetadata toldAt;

  /** Where to begin next, since something before that cannot be told; null if nothing was. */
  private volatile @Nullable Beginning behindLost;

  /** Tables whose rows in the log cannot be read, until tables are defined anew. */
  private final Set<String> leftOut = ConcurrentHashMap.newKeySet();

  /** Whether the server did not find the place to begin at by a transaction's name. */
  private boolean byFile;

  /** The greatest number of a transaction that the log was seen with. */
  private long greatest;

  /** Opens connections for questions beside the log. */
  public interface Connections {
    /** A new connection to a server. */
    Connection to(TailTarget server) throws Exception;
  }

  /**
   * Where to begin.
   *
   * @param goesOn source of the log that this one goes on from; null for none
   * @param anew tables that are others than that one told
   */
  private record Beginning(BinlogServer.Start start, @Nullable String goesOn, Set<String> anew) {
    static Beginning at(BinlogServer.Start start) {
      return new Beginning(start, null, Set.of());
    }
  }

  /**
   * Nothing is followed yet.
   *
   * @param targets the server whose log is followed, and behind it the other nodes of its cluster
   * @param producers opens a producer of the stream
   * @param serverId of a replica, that no other one has
   * @param places keeps up to where the history's log is told
   */
  public Tail(
      List<TailTarget> targets,
      Connections connections,
      Supplier<Producer<byte[], byte[]>> producers,
      String topic,
      String history,
      Identities identities,
      long serverId,
      LogPlaces places) {
    this.target = targets.get(0);
    this.others = List.copyOf(targets.subList(1, targets.size()));
    this.connections = connections;
    this.producers = producers;
    this.topic = topic;
    this.history = history;
    this.identities = identities;
    this.serverId = serverId;
    this.places = places;
  }

  @Override
  public void run() throws InterruptedException {
    boolean begun = false;
    told = places.load();
    try {
      while (isWanted()) {
        try (BinlogServer server = new BinlogServer(connections.to(target));
            Cluster cluster = cluster(server);
            LogTeller teller = new LogTeller(producers.get(), topic, history)) {
          requireUsable(server);
          if (!begun) {
            takeOver(server);
          }
          requireGrowing(server);
          begun = true;
          follow(server, cluster, teller);
        } catch (IllegalStateException e) {
          if (!begun || e instanceof ResetException) {
            throw e;
          }
          pause(e);
        } catch (InterruptedException e) {
          throw e;
        } catch (LostException e) {
          told = null;
          LOG.warn("{}: {}", target.address(), e.getMessage());
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

  private Cluster cluster(BinlogServer server) throws SQLException {
    long database = server.database();
    List<ClusterNode> nodes =
        others.stream()
            .map(node -> new ClusterNode(node.address(), () -> connections.to(node), database))
            .toList();
    return new Cluster(server, nodes);
  }

  /** What another process has told counts if it is of this log. */
  private void takeOver(BinlogServer server) throws SQLException {
    LogPlace place = told;
    told = null;
    if (place != null && place.database().equals(server.identity())) {
      greatest = place.sequence();
      told = place;
    }
  }

  private boolean isWanted() {
    return closing.getCount() > 0;
  }

  /** Whether the server does not let this user in. */
  private static boolean isRefusal(Exception why) {
    return why instanceof SQLException e
        && e.getSQLState() != null
        && (e.getSQLState().startsWith("28") || e.getSQLState().startsWith("42"));
  }

  /** What is wrong is said once, as long as it stays the same. */
  private void pause(Exception why) throws InterruptedException {
    if (isWanted()) {
      if (!words(why).equals(lastWords)) {
        LOG.warn("the log of {} is not followed at the moment: {}", target.address(), words(why));
      }
      lastWords = words(why);
      closing.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  private static String words(Throwable why) {
    return why.getMessage() == null ? why.toString() : why.getMessage();
  }

  @Override
  public List<String> check() throws Exception {
    try (BinlogServer server = new BinlogServer(connections.to(target))) {
      requireUsable(server);
      for (TailTarget other : others) {
        try (BinlogServer node = new BinlogServer(connections.to(other))) {
          List<String> problems = node.problems();
          if (!problems.isEmpty()) {
            throw new IllegalStateException(other.address() + ": " + String.join("; ", problems));
          }
        }
      }
      Set<String> names = new TreeSet<>(server.tables(Set.of()).names());
      return List.of(
          "%d tables of database %s would be told: %s"
              .formatted(names.size(), server.name(), String.join(", ", names)));
    }
  }

  private void requireUsable(BinlogServer server) throws SQLException {
    List<String> problems = new ArrayList<>(server.problems());
    int nodes = server.isOfCluster() ? server.requireCluster() : 1;
    if (nodes > 1 + others.size()) {
      problems.add(
          "the cluster of %s has %d nodes and --url names %d; expected all of them"
              .formatted(target.address(), nodes, 1 + others.size()));
    }
    if (!others.isEmpty() && !server.isOfCluster()) {
      problems.add(
          "--url names %d servers and %s is of no Galera cluster; expected one server"
              .formatted(1 + others.size(), target.address()));
    }
    if (!problems.isEmpty()) {
      throw new IllegalStateException(String.join("; ", problems));
    }
  }

  /**
   * A number that is given a second time would be that of another transaction. Another node of a
   * cluster, or one that crashed, may have less for a while.
   *
   * @throws ResetException if the server has less than it had
   */
  private void requireGrowing(BinlogServer server) throws SQLException, InterruptedException {
    long last = server.lastSequence();
    if (last < greatest && server.isOfCluster()) {
      LOG.warn(
          "the log of {} is at transaction {} and was at {}: waits for it",
          target.address(),
          last,
          greatest);
      long deadlineNs = System.nanoTime() + CATCH_UP.toNanos();
      while (isWanted() && last < greatest && System.nanoTime() - deadlineNs < 0) {
        closing.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS);
        last = server.lastSequence();
      }
    }
    if (last < greatest && isWanted()) {
      throw new ResetException(
          "the log of %s was reset: it is at transaction %d and was at %d. Their numbers would be given a second time; expected a history of another name from here on (--history, and isotail.history of the applications)"
              .formatted(target.address(), last, greatest));
    }
    greatest = Math.max(greatest, last);
  }

  /**
   * Behind what was lost, or what was told, once all before that is visible; else where the server
   * says.
   */
  private Beginning next(BinlogServer server, Cluster cluster, TailedTables tables)
      throws SQLException, InterruptedException {
    Beginning next = behindLost;
    LogPlace place = told;
    if (next != null) {
      awaitVisible(server, next.start());
    } else if (place != null && server.has(place)) {
      BinlogServer.Start start = BinlogServer.Start.behind(place);
      next = new Beginning(start, place.source(), tables.othersThan(place.tables()));
      awaitVisible(server, start);
    } else {
      next = Beginning.at(server.start(byFile)); // All before is visible there.
    }
    while (isWanted() && !cluster.shows(next.start().firstSequence() - 1)) {
      closing.await(VISIBLE.toMillis(), TimeUnit.MILLISECONDS);
    }
    return next;
  }

  private void awaitVisible(BinlogServer server, BinlogServer.Start place)
      throws SQLException, InterruptedException {
    while (isWanted() && !server.isVisible(place.file(), place.position())) {
      closing.await(VISIBLE.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  /** Waits until all is told that any node has now; false if nothing more is read. */
  private boolean awaitTold(Cluster cluster, Reading now)
      throws SQLException, InterruptedException {
    long least = Long.MAX_VALUE; // A node may go with what it alone had.
    while (now.isRead()) {
      long sinceNs = System.nanoTime();
      OptionalLong last = cluster.lastSequence(sinceNs);
      while (last.isEmpty() && now.isRead()) {
        closing.await(VISIBLE.toMillis(), TimeUnit.MILLISECONDS);
        last = cluster.lastSequence(sinceNs);
      }
      least = Math.min(least, last.orElse(least));
      if (last.isPresent() && now.awaitPassed(least, LOOK)) {
        return now.isRead();
      }
    }
    return false;
  }

  /** Follows the log from its start until something is lost for good, or it is told to stop. */
  private void follow(BinlogServer server, Cluster cluster, LogTeller teller) throws Exception {
    TailedTables tables = server.tables(leftOut);
    Beginning next = next(server, cluster, tables);
    begin(server, teller, tables, next);
    Reading now = new Reading(server, teller, tables, next.start());
    told = now.place();
    behindLost = null;
    lastWords = "";
    reading = now;
    Thread reader = new Thread(now::read, "isotail-binlog");
    reader.setDaemon(true);
    reader.start();
    try {
      while (isWanted()) {
        requireGrowing(server);
        if (!awaitTold(cluster, now)) {
          break;
        }
        mark(server, cluster, teller, now);
        closing.await(MARK.toMillis(), TimeUnit.MILLISECONDS);
      }
      if (told != null && toldAt != null && !isWanted()) {
        places.saveLast(told, toldAt);
      }
      Beginning behind = behindLost;
      if (isWanted() && behind != null && behind.goesOn() != null) {
        teller.handOver();
      }
      now.requireWhole();
    } catch (LogTeller.LostStreamException e) {
      behindLost = null; // What comes before it has perhaps not been told.
      throw e;
    } catch (ServerException e) {
      if (isOfLog(e)) {
        byFile = told == null;
        told = null;
      }
      throw e;
    } finally {
      reading = null;
      now.stop();
      reader.join(CONNECT.toMillis());
    }
  }

  /** The log begins, or goes on, and it is certain that the stream has that. */
  private void begin(BinlogServer server, LogTeller teller, TailedTables tables, Beginning next)
      throws Exception {
    BinlogServer.Start start = next.start();
    long database = server.database();
    long first = LogTeller.id(start.firstSequence());
    toldAt =
        teller.begin(
            source ->
                new LogStart(source, database, first, tables.names(), next.goesOn(), next.anew()));
    LOG.info(
        "the log of database {} at {} {} to history {}: {} tables, from transaction {} on",
        tables.database(),
        target.address(),
        next.goesOn() == null ? "is told" : "goes on",
        history,
        tables.names().size(),
        start.firstSequence());
  }

  /** Whether the server does not have what is asked for any more. */
  private static boolean isOfLog(ServerException e) {
    String words = String.valueOf(e.getMessage());
    return e.getErrorCode() == LOG_NOT_READ && !words.contains("server_");
  }

  private void mark(BinlogServer server, Cluster cluster, LogTeller teller, Reading now)
      throws InterruptedException, LogTeller.LostStreamException, SQLException {
    if (told != null) { // What the mark before has told.
      awaitVisible(server, BinlogServer.Start.behind(told));
      while (now.isRead() && !cluster.shows(told.sequence())) {
        closing.await(VISIBLE.toMillis(), TimeUnit.MILLISECONDS);
      }
    }
    LogPlace place = now.place(); // Before the mark: all up to it is told by then.
    toldAt = teller.mark();
    told = place == null ? told : place;
    if (told != null) {
      places.save(told, toldAt);
    }
  }

  /** Reads the log in a thread of its own. */
  private final class Reading implements BinlogEvents.Taker, BinaryLogClient.LifecycleListener {
    private final BinlogServer server;
    private final LogTeller teller;
    private final BinlogServer.Start start;
    private final BinlogEvents events;
    private @Nullable BinaryLogClient client;

    private final String database;

    /** Up to where it is told; null if that is not known before the first transaction. */
    private @Nullable LogPlace place;

    private long passed;
    private @Nullable Exception failure;
    private volatile boolean stopped;

    Reading(BinlogServer server, LogTeller teller, TailedTables tables, BinlogServer.Start start)
        throws SQLException {
      this.server = server;
      this.teller = teller;
      this.start = start;
      this.passed = start.firstSequence() - 1;
      this.database = server.identity();
      String gtid = start.gtid();
      this.place =
          gtid == null || !start.isPlace()
              ? null
              : place(gtid, start.file(), start.position(), tables);
      this.events = new BinlogEvents(this, identities, tables, start.firstSequence());
    }

    private LogPlace place(String gtid, String file, long position, TailedTables tables) {
      return new LogPlace(teller.source(), gtid, file, position, database, tables.digests());
    }

    void read() {
      while (isWanted() && !stopped && failure() == null) {
        try {
          connectAndRead();
          closing.await(MARK.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          return;
        } catch (IOException | RuntimeException e) {
          LOG.warn("the connection to the log of {} was lost: {}", target.address(), words(e));
          // A log that was purged, or rights that are missing: what cannot be resumed begins anew.
          fail(e);
        }
      }
    }

    /** Returns when the connection is over. */
    private void connectAndRead() throws IOException {
      BinaryLogClient next =
          new BinaryLogClient(target.host(), target.port(), target.user(), target.password());
      EventDeserializer deserializer = new EventDeserializer();
      deserializer.setCompatibilityMode(
          CompatibilityMode.DATE_AND_TIME_AS_LONG_MICRO,
          CompatibilityMode.INVALID_DATE_AND_TIME_AS_MIN_VALUE,
          CompatibilityMode.CHAR_AND_BINARY_AS_BYTE_ARRAY);
      next.setEventDeserializer(deserializer);
      next.setServerId(serverId);
      next.setSSLMode(target.tls());
      next.setKeepAlive(false);
      next.setHeartbeatInterval(SERVER_BEAT.toMillis());
      next.setConnectTimeout(CONNECT.toMillis());
      next.setNetReadTimeout(SILENCE.toMillis());
      LogPlace from = place();
      String gtid = from == null ? start.gtid() : from.gtid();
      if (gtid == null) {
        next.setBinlogFilename(start.file());
        next.setBinlogPosition(start.position());
      } else {
        next.setGtidSet(gtid);
      }
      next.registerEventListener(this::take);
      next.registerLifecycleListener(this);
      synchronized (this) {
        client = next;
      }
      if (!stopped) {
        next.connect();
      }
    }

    /** What is thrown here the client would only log. */
    private void take(Event event) {
      try {
        if (failure() == null) {
          events.accept(event);
        }
      } catch (RuntimeException e) {
        LOG.error("an event of the log of {} cannot be told", target.address(), e);
        events.unreadable(words(e));
      } catch (Error e) {
        fail(new IllegalStateException("the log could not be told: " + words(e), e));
      }
    }

    @Override
    public void group(LoggedGroup group) {
      try {
        teller.group(group);
      } catch (RuntimeException e) {
        fail(e);
      }
    }

    @Override
    public void passed(long sequence, String at, long position, TailedTables tables) {
      LogPlace now = place(at, file(), position, tables);
      synchronized (this) {
        passed = sequence;
        place = now;
        notifyAll();
      }
    }

    /** The file that is read. */
    private String file() {
      BinaryLogClient now;
      synchronized (this) {
        now = client;
      }
      return now == null ? "" : String.valueOf(now.getBinlogFilename());
    }

    @Override
    public TailedTables defined() {
      try {
        return server.tables(leftOut);
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void lost(BinlogEvents.Lost lost, long sequence, String of, long position) {
      if (lost.redefines()) {
        leftOut.clear();
      }
      if (lost.unfit() != null) {
        leftOut.add(lost.unfit());
      }
      LogPlace last = place();
      String file = file();
      BinlogServer.Start start = new BinlogServer.Start(file, position, of, sequence + 1);
      Beginning behind = Beginning.at(start);
      if (lost.anew() != null) {
        behind = new Beginning(start, teller.source(), lost.anew());
      } else if (lost.again() && last != null) {
        // The group is read again, without that table.
        BinlogServer.Start same = new BinlogServer.Start(file, position, last.gtid(), sequence);
        behind = new Beginning(same, teller.source(), Set.of());
      }
      behindLost = behind;
      fail(new LostException(lost.why()));
    }

    synchronized @Nullable LogPlace place() {
      return place;
    }

    private synchronized void fail(Exception why) {
      failure = failure == null ? why : failure;
      notifyAll();
    }

    private synchronized @Nullable Exception failure() {
      return failure;
    }

    void requireWhole() throws Exception {
      Exception why = failure();
      if (why != null && isWanted()) {
        throw why;
      }
    }

    synchronized long passed() {
      return passed;
    }

    /** Waits for a time until a transaction is told; false if it was not. */
    synchronized boolean awaitPassed(long sequence, Duration most) throws InterruptedException {
      long deadlineNs = System.nanoTime() + most.toNanos();
      while (passed < sequence && isRead() && System.nanoTime() - deadlineNs < 0) {
        wait(MARK.toMillis());
      }
      return passed >= sequence;
    }

    /** Whether more is read. */
    synchronized boolean isRead() {
      return failure == null && isWanted();
    }

    void stop() {
      stopped = true;
      BinaryLogClient now;
      synchronized (this) {
        now = client;
      }
      if (now != null) {
        disconnect(now);
      }
    }

    private static void disconnect(BinaryLogClient client) {
      try {
        client.disconnect();
      } catch (IOException e) {
        LOG.debug("disconnecting", e);
      }
    }

    @Override
    public void onConnect(BinaryLogClient connected) {
      if (stopped) {
        disconnect(connected); // It was told to stop before there was a connection to end.
      }
    }

    @Override
    public void onCommunicationFailure(BinaryLogClient disconnected, Exception why) {
      if (!isWanted() || stopped) {
        return;
      }
      LOG.warn("the connection to the log of {} was lost: {}", target.address(), words(why));
      if (why instanceof ServerException) {
        fail(why); // It does not have what is asked for any more.
      }
    }

    @Override
    public void onEventDeserializationFailure(BinaryLogClient connected, Exception why) {
      events.unreadable(words(why)); // The client goes on with the next one.
    }

    @Override
    public void onDisconnect(BinaryLogClient disconnected) {
      // The reader connects again.
    }
  }

  @Override
  public boolean follows() {
    return reading != null;
  }

  /** Number of the last transaction that is told; 0 while nothing is followed. */
  public long passed() {
    Reading now = reading;
    return now == null ? 0 : now.passed();
  }

  /** Tells it to stop, and waits for that. */
  @Override
  public void close() {
    closing.countDown();
    Reading now = reading;
    if (now != null) {
      now.stop();
    }
    try {
      closed.await(CONNECT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The log begins with numbers that it had before. */
  private static final class ResetException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    ResetException(String message) {
      super(message);
    }
  }

  /** Something was changed that the log does not tell. */
  private static final class LostException extends Exception {
    private static final long serialVersionUID = 1;

    LostException(String why) {
      super(why);
    }
  }
}
