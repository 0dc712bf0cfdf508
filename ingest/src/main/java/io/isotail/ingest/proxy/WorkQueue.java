package io.isotail.ingest.proxy;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a session has to do that may wait: one thing after another, on a worker, each followed by
 * something on the session's own thread. For that thread.
 */
final class WorkQueue {
  private final ProxyLoop loop;
  private final Consumer<Runnable> runner;
  private final Deque<Work> works = new ArrayDeque<>(0);
  private boolean working;

  private record Work(Runnable work, Runnable then) {}

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
   * @param work what may wait, and fail
   * @param then what follows, in either case
   */
  void add(Runnable work, Runnable then) {
    works.add(new Work(work, then));
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
        task,
        () -> {
          working = false;
          runner.accept(next.then());
          next();
        });
  }
}
