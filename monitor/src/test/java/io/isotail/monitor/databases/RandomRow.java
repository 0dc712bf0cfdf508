package io.isotail.monitor.databases;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.Random;
import java.util.UUID;

/** Random values of one row of a table with a column of each type. */
final class RandomRow {
  private static final String[] TEXTS = {
    "a", "Z", "'", "\\", "\0", "\u001a", "\n", "\"", "é", "ß", "€", "日", "😀", "%", " ", ",",
    "NULL", ";"
  };

  private RandomRow() {}

  static Object[] of(Random random) {
    return new Object[] {
      text(random, TEXTS.length, 30),
      text(random, 11, 20), // of latin1
      text(random, TEXTS.length, 5),
      text(random, 8, 10).replace("\0", ""),
      random.nextLong(),
      new BigInteger(64, random),
      random.nextInt(65_536),
      random.nextInt(1 << 24),
      random.nextInt(256) - 128,
      new BigDecimal(BigInteger.valueOf(random.nextLong() / 100), 5),
      number(random).floatValue(),
      number(random),
      time(random).withNano(0),
      time(random),
      LocalDateTime.of(
              1990 + random.nextInt(40), 1 + random.nextInt(12), 15, 12, 0, random.nextInt(60))
          .withNano(10_000_000 * random.nextInt(100)),
      LocalDate.of(1000 + random.nextInt(9000), 1 + random.nextInt(12), 1 + random.nextInt(28)),
      new String[] {"x", "y", "z"}[random.nextInt(3)],
      new String[] {"", "1", "2,3", "1,2,3"}[random.nextInt(4)],
      random.nextInt(1 << 20),
      bytes(random, 6),
      bytes(random, random.nextInt(30)),
      text(random, TEXTS.length, 100),
      LocalTime.of(random.nextInt(24), random.nextInt(60)),
      uuid(random).toString()
    };
  }

  /** Of any version that the server takes, or of none, and with zeros at the end. */
  static UUID uuid(Random random) {
    long version = 1 + random.nextInt(7);
    long high = (random.nextLong() & ~0xF000L) | version << 12;
    long low = (random.nextLong() << random.nextInt(3) * 24) & ~(0xC0L << 56) | 0x80L << 56;
    return random.nextInt(20) == 0 ? new UUID(0, 0) : new UUID(high, low);
  }

  private static String text(Random random, int alphabet, int most) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(most); i > 0; i--) {
      text.append(TEXTS[random.nextInt(alphabet)]);
    }
    return text.toString();
  }

  private static Double number(Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> (double) (random.nextInt(2_000) - 1_000);
      case 1 -> random.nextInt(100_000) / 100.0;
      case 2 -> random.nextGaussian() * 1e6;
      default -> random.nextDouble() + 1;
    };
  }

  private static LocalDateTime time(Random random) {
    return LocalDateTime.of(
            1000 + random.nextInt(9000),
            1 + random.nextInt(12),
            1 + random.nextInt(28),
            random.nextInt(24),
            random.nextInt(60),
            random.nextInt(60))
        .withNano(1_000 * random.nextInt(1_000_000));
  }

  private static byte[] bytes(Random random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    if (length > 2 && random.nextBoolean()) {
      bytes[length - 1] = 0;
    }
    return bytes;
  }
}
