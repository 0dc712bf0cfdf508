package io.isotail.ingest.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.Seeds;
import io.isotail.ingest.postgres.Message;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class FramerTest {
  private static final int RUNS = Integer.getInteger("isotail.random.histories", 700);
  private static final long SEED = Seeds.FRESH;

  /** Looks at some types, hands on what it is shown, and stops after some messages. */
  private static final class Recorder implements Framer.Sink {
    final ByteArrayOutputStream out = new ByteArrayOutputStream();
    final List<String> shown = new ArrayList<>();
    final String looksAt;
    final Random stops;
    boolean stopped;
    int lost;

    Recorder(String looksAt, Random stops) {
      this.looksAt = looksAt;
      this.stops = stops;
    }

    @Override
    public boolean looksAt(byte type, int length) {
      if (stops.nextInt(5) == 0) {
        stopped = true; // It wants to be asked again.
        return false;
      }
      return looksAt.indexOf(type) >= 0;
    }

    @Override
    public void pass(byte[] bytes, int offset, int length) {
      assertThat(length).isPositive();
      out.write(bytes, offset, length);
    }

    @Override
    public void message(Message message) {
      byte[] whole =
          Arrays.copyOfRange(
              message.array(), message.offset(), message.offset() + message.length());
      shown.add(describe(whole));
      out.writeBytes(whole);
      stopped = stops.nextInt(3) == 0;
    }

    @Override
    public boolean stops() {
      return stopped;
    }

    @Override
    public void lost(byte type, int length) {
      lost++;
    }
  }

  private static String describe(byte[] message) {
    return (char) message[0] + ":" + Arrays.hashCode(message);
  }

  private static byte[] message(char type, int body, Random random) {
    byte[] bytes = new byte[body];
    random.nextBytes(bytes);
    return Replies.message(type, bytes);
  }

  private static int size(Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> 0;
      case 1 -> random.nextInt(10);
      case 2 -> random.nextInt(300);
      default -> random.nextInt(40_000);
    };
  }

  /** Feeds bytes in random pieces, going on wherever the framer was stopped. */
  private static void feed(Framer framer, Recorder recorder, byte[] bytes, Random random) {
    int at = 0;
    int most = 1 + random.nextInt(random.nextBoolean() ? 12 : 20_000);
    while (at < bytes.length) {
      int size = Math.min(bytes.length - at, 1 + random.nextInt(most));
      byte[] piece = new byte[size + 7];
      random.nextBytes(piece);
      int from = random.nextInt(7);
      System.arraycopy(bytes, at, piece, from, size);
      int to = from + size;
      while (from < to) {
        recorder.stopped = false;
        from = framer.take(piece, from, to);
        assertThat(from == to || recorder.stopped).isTrue();
      }
      at += size;
    }
  }

  @Test
  void bytesOutEqualBytesInWhereverTheyAreCut() {
    for (int run = 0; run < RUNS; run++) {
      long seed = SEED + run;
      Random random = Seeds.random(seed);
      ByteArrayOutputStream in = new ByteArrayOutputStream();
      List<String> expected = new ArrayList<>();
      for (int i = random.nextInt(30); i >= 0; i--) {
        char type = "ABC".charAt(random.nextInt(3));
        byte[] message = message(type, size(random), random);
        in.writeBytes(message);
        if (type != 'A') {
          expected.add(describe(message));
        }
      }
      Recorder recorder = new Recorder("BC", random);
      Framer framer = new Framer(recorder);
      feed(framer, recorder, in.toByteArray(), random);
      assertThat(framer.isBetweenMessages()).as("seed %d", seed).isTrue();
      assertThat(recorder.out.toByteArray()).as("seed %d", seed).isEqualTo(in.toByteArray());
      assertThat(recorder.shown).as("seed %d", seed).isEqualTo(expected);
    }
  }

  @Test
  void whatIsCutShortOrNoMessageGoesOnAsItCame() {
    for (int run = 0; run < RUNS; run++) {
      long seed = SEED + run;
      Random random = Seeds.random(seed);
      byte[] in = new byte[random.nextInt(3_000)];
      random.nextBytes(in);
      if (random.nextBoolean() && in.length > 5) {
        ByteBuffer.wrap(in).putInt(1, random.nextInt(2_000));
      }
      Recorder recorder = new Recorder("ABCDEFabcdef\0\1\2\3\4", random);
      Framer framer = new Framer(recorder);
      feed(framer, recorder, in, random);
      framer.end();
      assertThat(recorder.out.toByteArray()).as("seed %d", seed).isEqualTo(in);
      assertThat(recorder.lost).as("seed %d", seed).isLessThanOrEqualTo(1);
    }
  }

  @Test
  void aMessageIsCollectedInNoMoreThanTwiceWhatHasCome() {
    Recorder recorder = new Recorder("B", new Random(1));
    Framer framer = new Framer(recorder);
    byte[] head = {'B', 0x3f, -1, -1, -1, 1, 2, 3};
    // A gigabyte is announced. Were it taken at its word, the heap of the tests would not do.
    List<Framer> many = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      Framer one = new Framer(recorder);
      one.take(head, 0, head.length);
      many.add(one);
    }
    framer.take(head, 0, head.length);
    assertThat(framer.isBetweenMessages()).isFalse();
    assertThat(many).hasSize(1_000);
    assertThat(recorder.shown).isEmpty();
  }

  @Test
  void aLengthThatNoMessageHasIsToldOnce() {
    for (int length : new int[] {3, 0, -1, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
      Recorder recorder = new Recorder("Q", new Random(1));
      Framer framer = new Framer(recorder);
      byte[] in = ByteBuffer.allocate(64).put((byte) 'Q').putInt(length).array();
      framer.take(in, 0, in.length);
      assertThat(recorder.lost).as("length %d", length).isEqualTo(1);
      assertThat(recorder.out.toByteArray()).isEqualTo(in);
    }
  }
}
