package io.isotail.ingest.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.isotail.incremental.Seeds;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class StartPacketTest {
  private static final long SEED = Seeds.FRESH;

  @Test
  void whatTheClientSaysOfItselfIsRead() {
    StartPacket packet = StartPacket.of(Packets.startUp("user", "ann", "database", "shop"));
    assertThat(packet.kind()).isEqualTo(StartPacket.Kind.START_UP);
    assertThat(packet.parameters()).containsEntry("user", "ann").containsEntry("database", "shop");
    assertThat(packet.isReplication()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"true", "on", "1", "database", "yes"})
  void replicationIsTold(String value) {
    assertThat(StartPacket.of(Packets.startUp("replication", value)).isReplication()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"false", "off", "0", "no", "FALSE"})
  void whatOnlyNamesReplicationIsNone(String value) {
    assertThat(StartPacket.of(Packets.startUp("replication", value)).isReplication()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 7, -1, Integer.MIN_VALUE, 10_005, Integer.MAX_VALUE, 0x47455420})
  void lengthsThatNoPacketHasAreRefused(int length) {
    assertThat(StartPacket.length(ByteBuffer.allocate(4).putInt(length).array(), 0)).isZero();
  }

  @Test
  void whatAServerRefusesIsNoStartUp() {
    byte[] packet = Packets.startUp("user", "ann");
    byte[] cut = Arrays.copyOf(packet, packet.length - 1);
    byte[] early = packet.clone();
    early[StartPacket.BODY] = 0;
    for (byte[] refused :
        List.of(cut, early, Packets.startUp(2 << 16, "user", "ann"), new byte[StartPacket.BODY])) {
      assertThat(StartPacket.of(refused).kind()).isEqualTo(StartPacket.Kind.REFUSED);
    }
  }

  @Test
  void aServerTakesAnyByteForTheTerminator() {
    byte[] packet = Packets.startUp("user", "ann");
    packet[packet.length - 1] = 'x';
    assertThat(StartPacket.of(packet).parameters()).containsExactly(Map.entry("user", "ann"));
  }

  @Test
  void noBytesMakeItFail() {
    for (int run = 0; run < 20_000; run++) {
      Random random = Seeds.random(SEED + run);
      byte[] packet = new byte[StartPacket.BODY + random.nextInt(40)];
      random.nextBytes(packet);
      if (random.nextBoolean()) {
        ByteBuffer.wrap(packet).putInt(StartPacket.CODE, 3 << 16);
      }
      for (int i = random.nextInt(10); i > 0; i--) {
        packet[random.nextInt(packet.length)] = 0;
      }
      assertThatCode(() -> StartPacket.of(packet))
          .as("seed %d", SEED + run)
          .doesNotThrowAnyException();
    }
  }
}
