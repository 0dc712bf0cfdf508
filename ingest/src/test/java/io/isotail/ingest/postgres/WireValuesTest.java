package io.isotail.ingest.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.isotail.ingest.sql.ColumnType;
import io.isotail.ingest.sql.Operand;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.postgresql.util.ByteConverter;

/** Values of the wire beside what PostgreSQL's driver makes of them. */
class WireValuesTest {
  private final WireValues values = new WireValues();

  private Object binary(ColumnType type, boolean unsigned, byte[] bytes) {
    return values.column(type, true, unsigned, bytes, 0, bytes.length);
  }

  private Object text(ColumnType type, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return values.column(type, false, false, bytes, 0, bytes.length);
  }

  private static byte[] int8(long value) {
    return ByteBuffer.allocate(8).putLong(value).array();
  }

  private static byte[] int4(int value) {
    return ByteBuffer.allocate(4).putInt(value).array();
  }

  @Test
  void numbersAreTheSameInBothFormats() {
    Random random = new Random(7);
    for (int i = 0; i < 20_000; i++) {
      BigDecimal number =
          new BigDecimal(new BigInteger(random.nextInt(120), random), random.nextInt(30) - 8);
      BigDecimal signed = random.nextBoolean() ? number : number.negate();
      byte[] bytes = ByteConverter.numeric(signed);
      assertThat(ColumnType.NUMERIC.canonical(binary(ColumnType.NUMERIC, false, bytes)))
          .as("%s", signed)
          .isEqualTo(ColumnType.NUMERIC.canonical(text(ColumnType.NUMERIC, signed.toPlainString())))
          .isEqualTo(ColumnType.NUMERIC.canonical(signed));
    }
    byte[] notANumber = {0, 0, 0, 0, (byte) 0xC0, 0, 0, 0};
    assertThat(binary(ColumnType.NUMERIC, false, notANumber)).isEqualTo(Operand.UNKNOWN);
  }

  @Test
  void anXidHasNoSignAndAnIntegerHasOne() {
    assertThat(binary(ColumnType.INTEGER, true, int4(-2))).isEqualTo(4294967294L);
    assertThat(text(ColumnType.INTEGER, "4294967294")).isEqualTo(4294967294L);
    assertThat(binary(ColumnType.INTEGER, false, int4(-2))).isEqualTo(-2L);
    assertThat(binary(ColumnType.INTEGER, false, int8(Long.MIN_VALUE))).isEqualTo(Long.MIN_VALUE);
    assertThat(binary(ColumnType.INTEGER, false, new byte[] {-1, -3})).isEqualTo(-3L);
    assertThat(binary(ColumnType.INTEGER, false, new byte[] {1, 2, 3})).isEqualTo(Operand.UNKNOWN);
  }

  @Test
  void otherTypesAreTheSameInBothFormats() {
    UUID uuid = UUID.fromString("00112233-4455-6677-8899-aabbccddeeff");
    byte[] bytes =
        ByteBuffer.allocate(16)
            .putLong(uuid.getMostSignificantBits())
            .putLong(uuid.getLeastSignificantBits())
            .array();
    assertThat(binary(ColumnType.UUID, false, bytes)).isEqualTo(text(ColumnType.UUID, "" + uuid));
    assertThat(binary(ColumnType.BOOLEAN, false, new byte[] {1}))
        .isEqualTo(text(ColumnType.BOOLEAN, "t"))
        .isEqualTo(true);
    assertThat((byte[]) text(ColumnType.BYTES, "\\x00ff7a"))
        .isEqualTo(binary(ColumnType.BYTES, false, new byte[] {0, -1, 'z'}));
    assertThat(text(ColumnType.BYTES, "\\000z")).isEqualTo(Operand.UNKNOWN);
  }

  @Test
  void aTextInAnEncodingThatIsNotKnownHasNoValue() {
    byte[] latin = "é".getBytes(StandardCharsets.ISO_8859_1);
    assertThat(values.text(latin, 0, latin.length)).isEqualTo(Operand.UNKNOWN);
    assertThat(text(ColumnType.TEXT, "é")).isEqualTo("é");
    values.clientEncoding("LATIN1");
    assertThat(text(ColumnType.TEXT, "é")).isEqualTo(Operand.UNKNOWN);
    assertThat(text(ColumnType.TEXT, "e")).isEqualTo("e");
  }

  @Test
  void arraysAreTheSameInBothFormats() {
    byte[] text = "{{1,760},{\"a \\\"b\\\\\",NULL},{\"NULL\",3}}".getBytes(StandardCharsets.UTF_8);
    String[][] expected = {{"1", "760"}, {"a \"b\\", null}, {"NULL", "3"}};
    assertThat(TextArrays.read(false, text, 0, text.length)).isDeepEqualTo(expected);
    ByteBuffer binary = ByteBuffer.allocate(200);
    binary.putInt(2).putInt(1).putInt(Oids.TEXT).putInt(3).putInt(1).putInt(2).putInt(1);
    for (String[] row : expected) {
      for (String one : row) {
        binary.putInt(one == null ? -1 : one.length());
        if (one != null) {
          binary.put(one.getBytes(StandardCharsets.UTF_8));
        }
      }
    }
    assertThat(TextArrays.read(true, binary.array(), 0, binary.position())).isDeepEqualTo(expected);
    byte[] none = "{}".getBytes(StandardCharsets.UTF_8);
    assertThat(TextArrays.read(false, none, 0, none.length)).isEmpty();
    byte[] broken = "{{1,".getBytes(StandardCharsets.UTF_8);
    assertThatThrownBy(() -> TextArrays.read(false, broken, 0, broken.length))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aMessageIsNotReadBeyondItsEnd() {
    byte[] bytes = {9, 'C', 0, 0, 0, 6, 'a', 'b', 0};
    Message message = new Message().show(bytes, 1, 7);
    assertThat(message.byteAt(6)).isEqualTo((byte) 'b');
    assertThatThrownBy(() -> message.byteAt(7)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> message.text(5)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> message.int32(4)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThat(new Message().show(bytes, 1, 8).text(5)).isEqualTo("ab");
  }
}
