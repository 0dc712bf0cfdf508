package io.isotail.monitor.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.isotail.incremental.level.Verdict;
import io.isotail.monitor.RunningPage;
import io.isotail.monitor.status.Fleet;
import io.isotail.monitor.status.HistoryStatus;
import io.isotail.monitor.status.Lag;
import io.isotail.monitor.status.MonitorStatus;
import io.isotail.monitor.status.MonitorStatus.Phase;
import io.isotail.monitor.status.Peer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is kept of the other instances' reports. */
final class InstanceRegistryTest {
  private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);
  private static final HistoryStatus SHOP =
      RunningPage.history("shop", Verdict.PASS, Map.of(), null);

  private final InstanceRegistry book = new InstanceRegistry("group", "self", 0);

  @Test
  void theLatestReportOfEachOtherInstanceOfTheGroupIsKept() {
    book.accept(report("group", "a", SHOP), 1);
    book.accept(report("group", "b"), 2);
    book.accept(report("group", "self", SHOP), 3);
    book.accept(report("another", "c", SHOP), 4);
    book.accept(report("group", "a", SHOP), 5);

    Fleet fleet = book.fleet(SECOND_NS, true, null);
    assertThat(fleet.self()).isEqualTo("self");
    assertThat(fleet.peers())
        .extracting(Peer::instance)
        .as("latest first")
        .containsExactly("a", "b");
    Peer latest = fleet.peers().get(0);
    assertThat(latest.ready()).isTrue();
    assertThat(latest.lag()).isEqualTo(new Lag(12, 70, 0.5));
    assertThat(latest.histories().get("shop")).contains("\"coverage\":", "\"instance\":\"a\"");
  }

  @Test
  void whoSaysFarewellIsForgottenAtOnce() {
    book.accept(report("group", "a", SHOP), 1);
    book.accept(PeerMessage.farewell("group", "a", Instant.EPOCH), 2);

    assertThat(book.fleet(3, true, null).peers()).isEmpty();
  }

  @Test
  void whoIsSilentIsForgottenButNotByOneThatCouldNotHear() {
    book.accept(report("group", "a", SHOP), 1);
    int second = 0;
    while (second < 30) {
      assertThat(book.fleet(++second * SECOND_NS, false, null).peers()).hasSize(1);
    }
    while (second < 40) {
      assertThat(book.fleet(++second * SECOND_NS, true, null).peers()).hasSize(1);
    }
    assertThat(book.fleet(++second * SECOND_NS, true, null).peers()).isEmpty();

    book.accept(report("group", "a", SHOP), second * SECOND_NS);
    second += 60;
    assertThat(book.fleet(second * SECOND_NS, true, null).peers()).as("it was paused").hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "no JSON",
        "[]",
        "null",
        "{}",
        "{\"version\":2,\"group\":\"group\",\"instance\":\"a\",\"phase\":\"running\"}",
        "{\"version\":1,\"group\":\"group\",\"instance\":7,\"phase\":\"running\"}",
        "{\"version\":1,\"group\":\"group\",\"instance\":\"a\",\"phase\":\"dancing\"}",
        "{\"version\":1,\"group\":\"group\",\"instance\":\"a\",\"phase\":\"running\",\"histories\":[{}]}",
        "{\"version\":1,\"group\":\"group\",\"instance\":\"a\",\"phase\":\"running\",\"histories\":[7]}",
        "{\"version\":1,\"group\":\"group\",\"instance\":\"a\",\"phase\":\"running\","
            + "\"histories\":[{\"history\":\"shop\",\"verdicts\":[]}]}"
      })
  void whatMakesNoSenseIsSkipped(String message) {
    byte[] bytes = message.getBytes(StandardCharsets.UTF_8);
    assertThatThrownBy(() -> PeerMessage.parse(bytes, 0)).isInstanceOf(IOException.class);
    book.accept(bytes, 1);
    book.accept(null, 1);
    book.accept(new byte[PeerMessage.MAX_MESSAGE_BYTES + 1], 1);

    assertThat(book.fleet(1, true, null).peers()).isEmpty();
  }

  @Test
  void instancesAndBytesAreBounded() {
    byte[] large = report("group", "%", many(PeerMessage.MAX_HISTORIES_BYTES / 1_500));
    String text = new String(large, StandardCharsets.UTF_8);
    for (int i = 0; i <= InstanceRegistry.MAX_INSTANCES; i++) {
      String named = text.replace("\"instance\":\"%\"", "\"instance\":\"i" + i + "\"");
      book.accept(named.getBytes(StandardCharsets.UTF_8), 1);
    }

    List<Peer> peers = book.fleet(1, true, null).peers();
    assertThat(peers).hasSize(InstanceRegistry.MAX_INSTANCES);
    assertThat(
            peers.stream()
                .flatMap(p -> p.histories().values().stream())
                .mapToLong(String::length)
                .sum())
        .isLessThanOrEqualTo(InstanceRegistry.MAX_HISTORIES_CHARS);
    assertThat(peers.get(0).histories()).isEmpty();
    assertThat(peers.get(0).notShown()).isPositive();
  }

  @Test
  void aMessageStaysBelowItsBoundAndShowsBrokenPromisesFirst() throws Exception {
    HistoryStatus[] histories = many(2_000);
    histories[1_999] = RunningPage.history("zzz", Verdict.FAIL, Map.of(), null);
    byte[] message = report("group", "a", histories);
    Peer peer = PeerMessage.parse(message, 0).peer();

    assertThat(message).hasSizeLessThan(PeerMessage.MAX_MESSAGE_BYTES);
    assertThat(peer.histories()).containsKey("zzz").hasSizeGreaterThan(300);
    assertThat(peer.histories().get("zzz")).contains("\"recentTransactions\":[]");
    assertThat(peer.notShown()).isEqualTo(2_000 - peer.histories().size());
  }

  private static HistoryStatus[] many(int number) {
    HistoryStatus[] histories = new HistoryStatus[number];
    for (int i = 0; i < number; i++) {
      histories[i] = RunningPage.history("history-" + i, Verdict.PASS, Map.of(), null);
    }
    return histories;
  }

  private static byte[] report(String group, String instance, HistoryStatus... histories) {
    TreeMap<String, HistoryStatus> byId = new TreeMap<>();
    for (HistoryStatus history : histories) {
      byId.put(history.history(), history);
    }
    MonitorStatus status =
        new MonitorStatus(
            Phase.RUNNING, 0, null, Map.of(), new Lag(12, 70, 0.5), 0, 0, 0, 0, byId, Fleet.NONE);
    return PeerMessage.report(group, instance, status, Instant.EPOCH);
  }
}
