package io.isotail.ingest.capture;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.isotail.ingest.emit.TransactionSink;
import io.isotail.ingest.sql.ObservedTables;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** How long connections wait for their streams, on a clock of the test's own. */
final class StreamStartsTest {
  private static final long WAIT_NS = 2_000;

  private final Logger logger = (Logger) LoggerFactory.getLogger(StreamStarts.class);
  private final ListAppender<ILoggingEvent> log = new ListAppender<>();

  private long nowNs = Long.MAX_VALUE - 1_000;
  private final StreamStarts starts = new StreamStarts(() -> nowNs);

  @BeforeEach
  void listen() {
    log.start();
    logger.addAppender(log);
  }

  @AfterEach
  void stop() {
    logger.detachAppender(log);
  }

  private static CaptureConfig to(String servers) {
    return new CaptureConfig(
        "orders",
        "shop",
        "1",
        null,
        new ObservedTables(List.of()),
        null,
        false,
        Set.of(),
        true,
        10,
        10,
        servers,
        Map.of());
  }

  /** A stream whose servers answer after a while, or never. */
  private final class Stream implements SinkFactory.OpenSink {
    private final List<Long> waitsNs = new ArrayList<>();
    private long beginsAfterNs = Long.MAX_VALUE;
    private boolean begun;

    @Override
    public boolean hasBegun() {
      return begun;
    }

    @Override
    public void awaitStart(long timeoutNs) throws InterruptedException {
      waitsNs.add(timeoutNs);
      if (Thread.interrupted()) {
        throw new InterruptedException("in the wait");
      }
      nowNs += Math.min(timeoutNs, beginsAfterNs);
      begun = beginsAfterNs <= timeoutNs;
    }

    @Override
    public TransactionSink sink() {
      throw new AssertionError("not needed");
    }

    @Override
    public String proxyId() {
      return "proxy";
    }

    @Override
    public void close() {
      throw new AssertionError("not needed");
    }
  }

  private StreamStart opened(Stream stream) {
    StreamStarts.Opened start = starts.opened(to("k:1"), stream);
    start.awaitAtLeast(WAIT_NS);
    return start;
  }

  @Test
  void serversThatAreAwayAreWaitedForOnce() {
    Stream first = new Stream();
    Stream second = new Stream();
    starts.await(to("k:1"), first, WAIT_NS);
    starts.await(to("k:1"), first, WAIT_NS);
    starts.await(to("k:1"), second, WAIT_NS);
    nowNs += 10 * WAIT_NS;
    starts.await(to("k:1"), new Stream(), WAIT_NS);
    assertThat(first.waitsNs).containsExactly(WAIT_NS);
    assertThat(second.waitsNs).isEmpty();
  }

  @Test
  void streamsThatAreOpenedDuringTheWaitEndItTogether() {
    Stream first = new Stream();
    starts.await(to("k:1"), first, WAIT_NS / 4);
    Stream second = new Stream();
    starts.await(to("k:1"), second, WAIT_NS);
    assertThat(second.waitsNs).containsExactly(WAIT_NS - WAIT_NS / 4);
  }

  @Test
  void otherServersAreWaitedForOnTheirOwn() {
    starts.await(to("k:1"), new Stream(), WAIT_NS);
    Stream other = new Stream();
    starts.await(to("other:1"), other, WAIT_NS);
    assertThat(other.waitsNs).containsExactly(WAIT_NS);
  }

  @Test
  void eachStreamToServersThatAnswerHasItsOwnWait() {
    for (int i = 0; i < 5; i++) {
      Stream stream = new Stream();
      stream.beginsAfterNs = WAIT_NS - 1;
      starts.await(to("k:1"), stream, WAIT_NS);
      starts.await(to("k:1"), stream, WAIT_NS);
      assertThat(stream.waitsNs).containsExactly(WAIT_NS);
    }
    assertThat(log.list).isEmpty();
  }

  @Test
  void whenTheServersAreBackTheNextStreamIsWaitedForAgain() {
    Stream late = new Stream();
    starts.await(to("k:1"), late, WAIT_NS);
    late.begun = true;
    Stream next = new Stream();
    starts.await(to("k:1"), next, WAIT_NS);
    assertThat(next.waitsNs).containsExactly(WAIT_NS);
  }

  @Test
  void withoutAWaitNothingIsWaitedForOrWarnedOf() {
    Stream stream = new Stream();
    starts.await(to("k:1"), stream, 0);
    nowNs += 10 * WAIT_NS;
    assertThat(stream.waitsNs).isEmpty();
    assertThat(log.list).isEmpty();
    // It has not used up the wait of a connection that has one.
    starts.await(to("k:1"), stream, WAIT_NS);
    assertThat(stream.waitsNs).containsExactly(WAIT_NS);
  }

  @Test
  void eachStreamThatIsLateIsWarnedOfOnce() {
    Stream first = new Stream();
    starts.await(to("k:1"), first, WAIT_NS);
    assertThat(log.list).as("Kafka may be about to answer").isEmpty();
    nowNs += StreamStarts.LATE_NS;
    starts.await(to("k:1"), first, WAIT_NS);
    starts.await(to("k:1"), first, WAIT_NS);
    assertThat(log.list)
        .singleElement()
        .satisfies(
            event ->
                assertThat(event.getFormattedMessage())
                    .contains(
                        "k:1 has not answered for 2000 ms",
                        "history orders",
                        "isotail.start-wait-ms",
                        "may look like writes of an application without isotail"));
    starts.await(to("k:1"), new Stream(), WAIT_NS);
    assertThat(log.list).hasSize(2);
  }

  @Test
  void whoCannotWaitLooksWhetherTheTimeIsOver() {
    Stream stream = new Stream();
    StreamStart start = opened(stream);
    nowNs += WAIT_NS - 1;
    assertThat(start.isAwaited()).isTrue();
    nowNs++;
    assertThat(start.isAwaited()).isFalse();
    start.await();
    assertThat(stream.waitsNs).isEmpty();
    assertThat(log.list).isEmpty();
    nowNs += StreamStarts.LATE_NS;
    assertThat(start.isAwaited()).isFalse();
    assertThat(start.isAwaited()).isFalse();
    assertThat(log.list).hasSize(1);
  }

  @Test
  void whatHasBegunIsAwaitedNoMore() {
    Stream stream = new Stream();
    StreamStart start = opened(stream);
    assertThat(start.isAwaited()).isTrue();
    stream.begun = true;
    assertThat(start.isAwaited()).isFalse();
  }

  @Test
  void theTimeCountsFromWhenTheStreamWasOpened() {
    Stream stream = new Stream();
    StreamStart start = opened(stream);
    nowNs += WAIT_NS / 4;
    start.await();
    start.await();
    assertThat(stream.waitsNs).containsExactly(WAIT_NS - WAIT_NS / 4);
  }

  @Test
  void anInterruptedThreadWaitsForWhatIsLeftAndStaysInterrupted() {
    Stream stream = new Stream();
    Thread.currentThread().interrupt();
    starts.await(to("k:1"), stream, WAIT_NS);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(stream.waitsNs).containsExactly(WAIT_NS, WAIT_NS);
    assertThat(log.list).isEmpty();
  }

  @Test
  void theLongestWaitThatWasAskedForCounts() {
    StreamStarts.Opened start = starts.opened(to("k:1"), new Stream());
    assertThat(start.isAwaited()).isFalse();
    start.awaitAtLeast(WAIT_NS);
    start.awaitAtLeast(0);
    assertThat(start.isAwaited()).isTrue();
    nowNs += StreamStarts.LATE_NS;
    assertThat(start.isAwaited()).isFalse();
    start.awaitAtLeast(2 * StreamStarts.LATE_NS);
    assertThat(start.isAwaited()).isTrue();
  }

  @Test
  void streamsThatHaveEndedKeepNobodyFromWaiting() {
    starts.await(to("k:1"), new Stream(), WAIT_NS);
    starts.forget();
    Stream next = new Stream();
    starts.await(to("k:1"), next, WAIT_NS);
    assertThat(next.waitsNs).containsExactly(WAIT_NS);
  }
}
