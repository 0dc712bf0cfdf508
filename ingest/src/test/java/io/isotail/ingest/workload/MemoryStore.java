package io.isotail.ingest.workload;

import io.isotail.ingest.store.RefusedException;
import io.isotail.ingest.store.SessionSource;
import io.isotail.ingest.store.StoreSession;
import io.isotail.ingest.store.TransactionScope;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Registers in memory. A transaction is refused if what it read has changed since. On request the
 * replies to commits get lost, or reads wait until their session is cut.
 */
final class MemoryStore implements SessionSource {
  final AtomicLong commits = new AtomicLong();
  final AtomicInteger repliesToLose = new AtomicInteger();
  final AtomicInteger opened = new AtomicInteger();
  final AtomicInteger open = new AtomicInteger();
  final AtomicInteger waiting = new AtomicInteger();
  volatile boolean readsWait;
  private final Map<Long, Long> versions = new HashMap<>();

  @Override
  public StoreSession open() {
    opened.incrementAndGet();
    open.incrementAndGet();
    return new Session();
  }

  private synchronized @Nullable Long read(long register) {
    return versions.get(register);
  }

  private synchronized boolean commit(Map<Long, @Nullable Long> read, Map<Long, Long> written) {
    if (!read.keySet().stream().allMatch(k -> Objects.equals(read.get(k), versions.get(k)))) {
      return false;
    }
    versions.putAll(written);
    commits.incrementAndGet();
    return true;
  }

  private final class Session implements StoreSession {
    private final Map<Long, @Nullable Long> read = new HashMap<>();
    private final Map<Long, Long> written = new HashMap<>();
    private final CountDownLatch cut = new CountDownLatch(1);

    private void requireUncut() throws IOException {
      if (cut.getCount() == 0) {
        throw new IOException("cut");
      }
    }

    @Override
    public void begin(TransactionScope scope) throws IOException {
      requireUncut();
      read.clear();
      written.clear();
    }

    @Override
    public @Nullable Long read(long register) throws IOException, InterruptedException {
      if (readsWait) {
        waiting.incrementAndGet();
        cut.await();
      }
      requireUncut();
      Long own = written.get(register);
      if (own != null) {
        return own;
      }
      if (!read.containsKey(register)) {
        read.put(register, MemoryStore.this.read(register));
      }
      return read.get(register);
    }

    @Override
    public void write(long register, long version) {
      written.put(register, version);
    }

    @Override
    public void commit() throws IOException, RefusedException {
      requireUncut();
      if (!MemoryStore.this.commit(read, written)) {
        throw new RefusedException("what was read has changed");
      }
      if (repliesToLose.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
        throw new IOException("no reply");
      }
    }

    @Override
    public void rollBack() {}

    @Override
    public void cut() {
      cut.countDown();
    }

    @Override
    public void close() {
      open.decrementAndGet();
    }
  }
}
