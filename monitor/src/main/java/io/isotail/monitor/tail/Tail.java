package io.isotail.monitor.tail;

import com.github.shyiko.mysql.binlog.BinaryLogClient;
import com.github.shyiko.mysql.binlog.event.Event;
import com.github.shyiko.mysql.binlog.event.deserialization.EventDeserializer;
import com.github.shyiko.mysql.binlog.event.deserialization.EventDeserializer.CompatibilityMode;
import com.github.shyiko.mysql.binlog.network.ServerException;
import io.isotail.ingest.sql.Identities;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Producer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the binary log of one server until it is told to stop. Where the connection is lost it
 * reads on behind the last transaction that it has told; where something was lost it begins anew.
 */
public final class Tail implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Tail.class);

  private static final Duration MARK = Duration.ofMillis(200);
  private static final Duration VISIBLE = Duration.ofMillis(20);
  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final Duration SERVER_BEAT = Duration.ofSeconds(2);
  private static final Duration SILENCE = Duration.ofSeconds(20);
  private static final Duration CONNECT = Duration.ofSeconds(10);

  private final TailTarget target;
  private final Callable<Connection> connections;
  private final Supplier<Producer<byte[], byte[]>> producers;
  private final String topic;
  private final String history;
  private final Identities identities;
  private final long serverId;
  private final CountDownLatch closing = new CountDownLatch(1);
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile @Nullable Reading reading;
  private String lastWords = "";

  /** Where to begin again, since something before that cannot be told; null if nothing was. */
  private volatile BinlogServer.@Nullable Start behindLost;

  /** Tables whose rows in the log cannot be read, until tables are defined anew. */
  private final Set<String> leftOut = ConcurrentHashMap.newKeySet();

  /** The greatest number of a transaction that the log was seen with. */
  private long greatest;

  /**
   * Nothing is followed yet.
   *
   * @param connections opens a connection to the server, for questions beside the log
   * @param producers opens a producer of the stream
   * @param serverId of a replica, that no other one has
   */
  public Tail(
      TailTarget target,
      Callable<Connection> connections,
      Supplier<Producer<byte[], byte[]>> producers,
      String topic,
      String history,
      Identities identities,
      long serverId) {
    this.target = target;
    this.connections = connections;
    this.producers = producers;
    this.topic = topic;
    this.history = history;
    this.identities = identities;
    this.serverId = serverId;
  }

  /**
   * Follows the log until {@link #close}.
   *
   * @throws IllegalStateException if the server's log cannot tell all, when it is asked first, or
   *     was reset
   */
  public void run() throws InterruptedException {
    boolean begun = false;
    try {
      while (isWanted()) {
        try (BinlogServer server = new BinlogServer(connections.call());
            LogTeller teller = new LogTeller(producers.get(), topic, history)) {
          requireUsable(server);
          requireGrowing(server.lastSequence());
          begun = true;
          follow(server, teller);
        } catch (IllegalStateException e) {
          if (!begun || e instanceof ResetException) {
            throw e;
          }
          pause(e);
        } catch (InterruptedException e) {
          throw e;
        } catch (LostException e) {
          LOG.warn("the log of {} begins anew: {}", target.address(), e.getMessage());
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

  private static void requireUsable(BinlogServer server) throws SQLException {
    List<String> problems = server.problems();
    if (!problems.isEmpty()) {
      throw new IllegalStateException(String.join("; ", problems));
    }
  }

  /**
   * A number that is given a second time would be that of another transaction.
   *
   * @throws IllegalStateException if that happens
   */
  private void requireGrowing(long last) {
    if (last < greatest) {
      throw new ResetException(
          "the log of %s was reset: it is at transaction %d and was at %d. Their numbers would be given a second time; expected a history of another name from here on (--history, and isotail.history of the applications)"
              .formatted(target.address(), last, greatest));
    }
    greatest = last;
  }

  /** Behind what was lost, once all before that is visible; else where the server says. */
  private BinlogServer.Start startOf(BinlogServer server)
      throws SQLException, InterruptedException {
    BinlogServer.Start behind = behindLost;
    behindLost = null;
    if (behind == null) {
      return server.start();
    }
    while (isWanted() && !server.isVisible(behind)) {
      closing.await(VISIBLE.toMillis(), TimeUnit.MILLISECONDS);
    }
    return behind;
  }

  /** Follows the log from its start until something is lost for good, or it is told to stop. */
  private void follow(BinlogServer server, LogTeller teller) throws Exception {
    BinlogServer.Start start = startOf(server);
    Reading now = new Reading(server, teller, start);
    lastWords = "";
    reading = now;
    Thread reader = new Thread(now::read, "isotail-binlog");
    reader.setDaemon(true);
    reader.start();
    try {
      while (isWanted()) {
        long last = server.lastSequence();
        requireGrowing(last);
        if (!now.awaitPassed(last)) {
          break;
        }
        teller.mark();
        closing.await(MARK.toMillis(), TimeUnit.MILLISECONDS);
      }
      now.requireWhole();
    } finally {
      reading = null;
      now.stop();
      reader.join(CONNECT.toMillis());
    }
  }

  /** Reads the log in a thread of its own. */
  private final class Reading implements BinlogEvents.Taker, BinaryLogClient.LifecycleListener {
    private final BinlogServer server;
    private final LogTeller teller;
    private final BinlogServer.Start start;
    private final BinlogEvents events;
    private @Nullable BinaryLogClient client;
    private @Nullable String gtid;
    private long passed;
    private @Nullable Exception failure;
    private volatile boolean stopped;

    Reading(BinlogServer server, LogTeller teller, BinlogServer.Start start) throws SQLException {
      this.server = server;
      this.teller = teller;
      this.start = start;
      this.passed = start.firstSequence() - 1;
      TailedTables tables = server.tables(leftOut);
      this.events = new BinlogEvents(this, identities, tables, start.firstSequence());
      teller.begin(server.database(), start.firstSequence(), tables.names());
      LOG.info(
          "the log of database {} at {} is told to history {}: {} tables, from transaction {} on",
          server.name(),
          target.address(),
          history,
          tables.names().size(),
          start.firstSequence());
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
      String from = gtid;
      if (from == null) {
        next.setBinlogFilename(start.file());
        next.setBinlogPosition(start.position());
      } else {
        next.setGtidSet(from);
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
      } catch (RuntimeException | Error e) {
        fail(new IllegalStateException("the log could not be told: " + words(e), e));
      }
    }

    @Override
    public void group(LoggedGroup group) {
      teller.group(group);
    }

    @Override
    public synchronized void passed(long sequence, String at) {
      passed = sequence;
      gtid = at;
      notifyAll();
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
    public void lost(BinlogEvents.Lost lost, long sequence, long position) {
      if (lost.redefines()) {
        leftOut.clear();
      }
      if (lost.unfit() != null) {
        leftOut.add(lost.unfit());
      }
      BinaryLogClient now;
      synchronized (this) {
        now = client;
      }
      if (now != null) {
        behindLost = new BinlogServer.Start(now.getBinlogFilename(), position, sequence + 1);
      }
      fail(new LostException(lost.why()));
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

    /** Waits until a transaction is told; false if nothing more is read. */
    synchronized boolean awaitPassed(long sequence) throws InterruptedException {
      while (passed < sequence && failure == null && isWanted()) {
        wait(MARK.toMillis());
      }
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
