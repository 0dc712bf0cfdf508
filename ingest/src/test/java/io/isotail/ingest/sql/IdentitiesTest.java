package io.isotail.ingest.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class IdentitiesTest {

  /** Test vectors of the reference implementation: key 00..0f, input 00, 01, 02 … */
  @Test
  void sipHashAgreesWithThePublishedVectors() {
    long[] expected = {
      0x726fdb47dd0e0e31L,
      0x74f839c593dc67fdL,
      0x0d6c8009d9a94f5aL,
      0x85676696d7fb7e2dL,
      0xcf2794e0277187b7L,
      0x18765564cd99a68dL,
      0xcbc9466e58fee3ceL,
      0xab0200f58b01d137L,
      0x93f5f5799a932462L,
    };
    for (int length = 0; length < expected.length; length++) {
      byte[] input = new byte[length];
      for (int i = 0; i < length; i++) {
        input[i] = (byte) i;
      }
      assertThat(SipHash.hash(0x0706050403020100L, 0x0f0e0d0c0b0a0908L, input))
          .isEqualTo(expected[length]);
    }
    byte[] fifteen = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14};
    assertThat(SipHash.hash(0x0706050403020100L, 0x0f0e0d0c0b0a0908L, fifteen))
        .isEqualTo(0xa129ca6149be45e5L);
  }

  @Test
  void equalValuesOfDifferentJavaTypesAreOneKey() {
    assertThat(List.of(5, 5L, (short) 5, new BigDecimal("5.0"), "5", " 05 "))
        .allSatisfy(v -> assertThat(ColumnType.INTEGER.canonical(v)).isEqualTo("5"));
    assertThat(List.of(5, new BigDecimal("5.00"), "5.0", new BigDecimal("0.5e1")))
        .allSatisfy(v -> assertThat(ColumnType.NUMERIC.canonical(v)).isEqualTo("5"));
    UUID uuid = UUID.fromString("00000000-0000-0001-0000-0000000000ab");
    assertThat(ColumnType.UUID.canonical("00000000-0000-0001-0000-0000000000AB"))
        .isEqualTo(ColumnType.UUID.canonical(uuid));
    assertThat(ColumnType.PADDED_TEXT.canonical("ab  ")).isEqualTo("ab");
    assertThat(ColumnType.TEXT.canonical("ab  ")).isEqualTo("ab  ");
    assertThat(ColumnType.TEXT.canonical("05")).isNotEqualTo(ColumnType.TEXT.canonical("5"));
    assertThat(ColumnType.BYTES.canonical(new byte[] {1, -1})).isEqualTo("01ff");
  }

  @Test
  void whatCannotBeToldForSureHasNoIdentity() {
    assertThat(ColumnType.INTEGER.canonical(new BigDecimal("5.5"))).isNull();
    assertThat(ColumnType.INTEGER.canonical("five")).isNull();
    assertThat(ColumnType.INTEGER.canonical(5.0)).isNull();
    assertThat(ColumnType.TEXT.canonical(Operand.NULL)).isNull();
    assertThat(ColumnType.TEXT.canonical(Operand.UNKNOWN)).isNull();
    assertThat(ColumnType.NUMERIC.canonical("1e999999999")).isNull();
  }

  @Test
  void hashesDependOnTableColumnsAndSecret() {
    ObservedTables tables = ObservedTables.parse("a(x, y; v), b(x, y; v)");
    ObservedTable a = tables.all().get(0);
    ObservedTable b = tables.all().get(1);
    Identities one = Identities.ofSecret("one");
    assertThat(one.key(a, List.of("1", "2")))
        .isEqualTo(Identities.ofSecret("one").key(a, List.of("1", "2")))
        .isNotEqualTo(one.key(b, List.of("1", "2")))
        .isNotEqualTo(one.key(a, List.of("12", "")))
        .isNotEqualTo(Identities.ofSecret("two").key(a, List.of("1", "2")));
    assertThat(Identities.ofHistory("h").key(a, List.of("1", "2")))
        .isEqualTo(Identities.ofHistory("h").key(a, List.of("1", "2")))
        .isNotEqualTo(Identities.ofHistory("g").key(a, List.of("1", "2")));
  }

  /** Hashes are kept for long and compared between proxies: their texts must not change. */
  @Test
  void aKeyIsHashedAsItsTextInUtf8() {
    ObservedTable table = ObservedTables.parse("lager.bücher(x, y; v)").all().get(0);
    Identities identities = Identities.ofSecret("one");
    Random random = new Random(11);
    for (int i = 0; i < 2_000; i++) {
      List<String> key = List.of(text(random), text(random));
      StringBuilder text = new StringBuilder("klager.bücher\0");
      key.forEach(column -> text.append(column.length()).append(':').append(column));
      assertThat(identities.key(table, key)).as(text.toString()).isEqualTo(hash(text.toString()));
      String version = text(random);
      assertThat(identities.version(i - 1_000L, version))
          .as(version)
          .isEqualTo(hash("v" + Long.toHexString(i - 1_000L) + ":" + version));
    }
  }

  private static String text(Random random) {
    String letters = random.nextBoolean() ? "0123456789ab" : "aé€\uD83D\uDE00\uD83D ";
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(random.nextInt(20) == 0 ? 300 : 12); i > 0; i--) {
      text.append(letters.charAt(random.nextInt(letters.length())));
    }
    return text.toString();
  }

  private static long hash(String text) {
    try {
      byte[] secret =
          MessageDigest.getInstance("SHA-256").digest("one".getBytes(StandardCharsets.UTF_8));
      ByteBuffer words = ByteBuffer.wrap(secret).order(ByteOrder.LITTLE_ENDIAN);
      return SipHash.hash(words.getLong(), words.getLong(), text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void anIntegerIsTheSameKeyAsItsText() {
    ObservedTable table = ObservedTables.parse("a.b(k bigint; v)").all().get(0);
    Identities identities = Identities.ofSecret("one");
    Random random = new Random(1);
    List<Long> edges =
        List.of(0L, 9L, 10L, -1L, -9L, -10L, 99L, 100L, Long.MAX_VALUE, Long.MIN_VALUE);
    for (int i = 0; i < 10_000; i++) {
      long number = i < edges.size() ? edges.get(i) : random.nextLong() >> random.nextInt(64);
      assertThat(identities.key(table, number))
          .as("%d", number)
          .isEqualTo(identities.key(table, List.of(Long.toString(number))));
    }
  }

  @Test
  void badTableSpecsSayWhatWasExpectedWhere() {
    assertThatThrownBy(() -> ObservedTables.parse("reg(k)"))
        .hasMessageContaining("expected ';'")
        .hasMessageContaining("reg(k)");
    assertThatThrownBy(() -> ObservedTables.parse("reg(k money; v)")).hasMessageContaining("money");
    assertThatThrownBy(() -> ObservedTables.parse("pg_temp.reg(k; v)"))
        .hasMessageContaining("temporary pg_temp.reg");
    assertThatThrownBy(() -> ObservedTables.parse("a.reg(k;v), b.reg(k;v)"))
        .hasMessageContaining("share a name");
  }
}
