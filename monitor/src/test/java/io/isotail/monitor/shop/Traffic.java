package io.isotail.monitor.shop;

import io.isotail.ingest.shop.ShopEndpoint;
import io.isotail.ingest.shop.ShopEndpoints;
import io.isotail.ingest.shop.ShopTables;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.stream.Stream;

/**
 * Customers and clerks: requests from several threads to all endpoints. The requests of the faulty
 * endpoint have their rows for themselves, so that it goes wrong when this is planted and never
 * else.
 */
final class Traffic implements AutoCloseable {
  private static final int THREADS = 5;

  /** One request in so many is to the faulty endpoint. */
  private static final int FAULTY = 10;

  private final Shop shop;
  private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
  private final ReadWriteLock[] rows =
      Stream.generate(ReentrantReadWriteLock::new)
          .limit(ShopTables.ROWS)
          .toArray(ReadWriteLock[]::new);
  private final SplittableRandom seeds;

  Traffic(Shop shop, long seed) {
    this.shop = shop;
    this.seeds = new SplittableRandom(seed);
  }

  /** What needs its rows for itself. */
  interface Alone {
    void run(long[] ids) throws Exception;
  }

  /** Sends so many requests. In the middle of them, does what is given with two rows for itself. */
  void run(int requests, ShopEndpoint faulty, Alone inTheMiddle) throws Exception {
    AtomicInteger left = new AtomicInteger(requests);
    CompletableFuture<?>[] all = new CompletableFuture<?>[THREADS];
    CompletableFuture<Void> middle = new CompletableFuture<>();
    for (int i = 0; i < THREADS; i++) {
      SplittableRandom random = seeds.split();
      all[i] =
          CompletableFuture.runAsync(
              () -> send(random, faulty, left, middle, requests / 2), threads);
    }
    CompletableFuture<Void> done = CompletableFuture.allOf(all);
    CompletableFuture.anyOf(done, middle).join();
    alone(pick(seeds, 2), inTheMiddle);
    done.join();
  }

  private void send(
      SplittableRandom random,
      ShopEndpoint faulty,
      AtomicInteger left,
      CompletableFuture<Void> middle,
      int half) {
    try {
      for (int n = left.decrementAndGet(); n >= 0; n = left.decrementAndGet()) {
        if (n == half) {
          middle.complete(null);
        }
        if (random.nextInt(FAULTY) == 0) {
          alone(pick(random, faulty.ids()), ids -> shop.answer(faulty, ids));
        } else {
          ShopEndpoint endpoint =
              ShopEndpoints.RIGHT.get(random.nextInt(ShopEndpoints.RIGHT.size()));
          among(pick(random, endpoint.ids()), endpoint);
        }
      }
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private void among(long[] ids, ShopEndpoint endpoint) throws SQLException {
    Lock[] locks = Arrays.stream(ids).mapToObj(id -> row(id).readLock()).toArray(Lock[]::new);
    for (Lock lock : locks) {
      lock.lock();
    }
    try {
      shop.answer(endpoint, ids);
    } finally {
      for (Lock lock : locks) {
        lock.unlock();
      }
    }
  }

  private void alone(long[] ids, Alone work) throws Exception {
    for (long id : ids) {
      row(id).writeLock().lock();
    }
    try {
      work.run(ids);
    } finally {
      for (long id : ids) {
        row(id).writeLock().unlock();
      }
    }
  }

  private ReadWriteLock row(long id) {
    return rows[(int) id];
  }

  /** Different ones, in order: nobody waits in a circle. */
  private static long[] pick(SplittableRandom random, int ids) {
    return random.longs(0, ShopTables.ROWS).distinct().limit(ids).sorted().toArray();
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
