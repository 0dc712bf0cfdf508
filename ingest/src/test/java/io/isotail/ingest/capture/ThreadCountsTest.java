package io.isotail.ingest.capture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ThreadCountsTest {
  private static final int THREADS = 40;
  private static final int TIMES = 10_000;

  @Test
  void whatAllThreadsHaveAddedIsTold() throws InterruptedException {
    ThreadCounts counts = new ThreadCounts(17);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      Thread thread =
          new Thread(
              () -> {
                for (int n = 0; n < TIMES; n++) {
                  counts.add(0, 1);
                  counts.add(16, -2);
                }
              });
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(counts.sum(0)).isEqualTo((long) THREADS * TIMES);
    assertThat(counts.sum(16)).isEqualTo(-2L * THREADS * TIMES);
    assertThat(counts.sum(1)).isZero();
  }
}
