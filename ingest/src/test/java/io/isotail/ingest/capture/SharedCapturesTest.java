package io.isotail.ingest.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.isotail.incremental.record.SessionInfo;
import io.isotail.ingest.emit.TransactionSink;
import io.isotail.ingest.sql.ObservedTables;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the stream of a process is opened with. */
final class SharedCapturesTest {
  private final List<DatabaseIds> opened = new ArrayList<>();
  private final FakeServer server = new FakeServer();

  @AfterEach
  void closeAll() {
    SharedCaptures.closeAll();
  }

  /** A stream that has begun. */
  private static final class Stream implements SinkFactory.OpenSink {
    private final RecordingSink sink = new RecordingSink();

    @Override
    public TransactionSink sink() {
      return sink;
    }

    @Override
    public String proxyId() {
      return "proxy";
    }

    @Override
    public boolean hasBegun() {
      return true;
    }

    @Override
    public void awaitStart(long timeoutNs) {}

    @Override
    public void close() {}
  }

  private Capture get() {
    return SharedCaptures.get(
        CaptureConfig.of("shared", ObservedTables.parse("")),
        (config, ids) -> {
          opened.add(ids);
          return new Stream();
        },
        server,
        0);
  }

  @Test
  void aFirstConnectionThatEndsMeanwhileLeavesTheDatabaseToTheNext() {
    server.lost = true;
    assertThatExceptionOfType(ServerLostException.class).isThrownBy(this::get);
    server.lost = false;
    assertThat(get()).isSameAs(get());
    assertThat(opened)
        .singleElement()
        .satisfies(ids -> assertThat(ids.database()).isNotEqualTo(SessionInfo.NO_DATABASE));
  }
}
