package io.isotail.monitor.stores;

import io.isotail.ingest.store.RefusedException;
import io.isotail.ingest.store.StoreSession;
import io.isotail.ingest.store.TransactionScope;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Transaction;

/**
 * Transactions by optimistic locking: what is read is watched before, what is written waits for
 * {@code MULTI … EXEC}, which Redis refuses if a watched key has changed. A transaction that only
 * reads ends with an empty one.
 *
 * <p>A read of one register alone is one {@code GET}, and a write of one register that was not read
 * is one {@code SET}.
 */
final class RedisSession implements StoreSession {
  private final OneSocket socket;
  private final Jedis jedis;
  private final String prefix;
  private final boolean watch;
  private final Map<Long, Long> written = new HashMap<>();
  private boolean onlyGet;
  private boolean watching;

  /** Whether the only {@code GET} was answered, so that a second read has the same answer. */
  private boolean answered;

  /** What it was answered with. */
  private @Nullable Long answer;

  RedisSession(String host, int port, String prefix, boolean watch) {
    this.socket = new OneSocket(host, port);
    this.jedis = new Jedis(socket);
    this.prefix = prefix;
    this.watch = watch;
    jedis.connect();
  }

  private String key(long register) {
    return prefix + register;
  }

  @Override
  public void begin(TransactionScope scope) {
    written.clear();
    answered = false;
    watching = false;
    onlyGet = scope.writes().isEmpty() && scope.reads().size() == 1;
  }

  @Override
  public @Nullable Long read(long register) {
    Long own = written.get(register);
    if (own != null) {
      return own;
    }
    if (onlyGet) {
      if (!answered) {
        answer = version(register);
        answered = true;
      }
      return answer;
    }
    if (watch) {
      jedis.watch(key(register));
      watching = true;
    }
    return version(register);
  }

  private @Nullable Long version(long register) {
    String text = jedis.get(key(register));
    return text == null ? null : Long.valueOf(text);
  }

  @Override
  public void write(long register, long version) {
    written.put(register, version);
  }

  @Override
  public void commit() throws RefusedException {
    if (!watching && written.size() == 1) {
      written.forEach((register, version) -> jedis.set(key(register), version.toString()));
    } else if (watching || !written.isEmpty()) {
      exec();
    }
  }

  private void exec() throws RefusedException {
    Transaction multi = jedis.multi();
    written.forEach((register, version) -> multi.set(key(register), version.toString()));
    if (multi.exec() == null) {
      throw new RefusedException("a watched key has changed");
    }
  }

  @Override
  public void rollBack() {
    written.clear();
    jedis.unwatch();
  }

  @Override
  public void cut() throws IOException {
    socket.cut();
  }

  @Override
  public void close() {
    jedis.close();
  }
}
