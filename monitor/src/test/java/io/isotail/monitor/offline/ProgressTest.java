package io.isotail.monitor.offline;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class ProgressTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final AtomicLong nowNs = new AtomicLong(5_000_000_000L);

  private Progress progress(long bytes) {
    PrintStream terminal = new PrintStream(out, true, StandardCharsets.UTF_8);
    return new Progress(terminal, "shop.jsonl", "transactions", bytes, nowNs::get);
  }

  private String said() {
    String said = out.toString(StandardCharsets.UTF_8);
    return said.substring(said.lastIndexOf('\u001b') + 3);
  }

  private static void steps(Progress progress, int count) {
    for (int i = 0; i < count; i++) {
      progress.step();
    }
  }

  @Test
  void rateAndTimeLeftAreTold() {
    Progress progress = progress(1_000);
    steps(progress, 1_024);
    assertThat(out.size()).as("not in the first second").isZero();
    nowNs.addAndGet(2_000_000_000L);
    progress.readBytes(10);
    steps(progress, 1_024);
    assertThat(said()).isEqualTo("shop.jsonl: 1,280 transactions, 640 a second");
    progress.readBytes(100);
    nowNs.addAndGet(8_000_000_000L);
    steps(progress, 256);
    assertThat(said()).isEqualTo("shop.jsonl: 2,304 transactions, 230 a second, about 1m30s left");
    progress.readBytes(1_000);
    nowNs.addAndGet(10_000_000_000L);
    steps(progress, 256);
    assertThat(said()).isEqualTo("shop.jsonl: 2,560 transactions, 128 a second");
    progress.done();
    assertThat(said()).isEmpty();
  }

  @Test
  void withoutASizeOnlyTheRateIsTold() {
    Progress progress = progress(0);
    nowNs.addAndGet(2_000_000_000L);
    steps(progress, 256);
    assertThat(said()).isEqualTo("shop.jsonl: 256 transactions, 128 a second");
  }
}
