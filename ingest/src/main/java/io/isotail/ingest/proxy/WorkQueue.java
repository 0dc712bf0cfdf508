package io.isotail.ingest.proxy;

import io.vertx.core.WorkerExecutor;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a session has to do that takes its time: one thing after another, on a worker, each followed
 * by something on the session's own thread. For that thread.
 */
final class WorkQueue {
  private final ProxyLoop loop;
  private final Consumer<Runnable> runner;
  private final Deque<Work> works = new ArrayDeque<>(0);
  private boolean working;

  private record Work(WorkerExecutor on, Runnable work, Runnable then) {}

  /**
   * A queue.
   *
   * @param runner runs what follows
   */
  WorkQueue(ProxyLoop loop, Consumer<Runnable> runner) {
    this.loop = loop;
    this.runner = runner;
  }

  /**
   * Adds something.
   *
   * @param on whose threads do it
   * @param work what may take its time, and fail
   * @param then what follows, in either case
   */
  void add(WorkerExecutor on, Runnable work, Runnable then) {
    works.add(new Work(on, work, then));
    next();
  }

  private void next() {
    Work next = working ? null : works.poll();
    if (next == null) {
      return;
    }
    working = true;
    Callable<@Nullable Void> task =
        () -> {
          next.work().run();
          return null;
        };
    loop.work(
        next.on(),
        task,
        () -> {
          working = false;
          runner.accept(next.then());
          next();
        });
  }
}
