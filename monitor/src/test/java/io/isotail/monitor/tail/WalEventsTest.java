package io.isotail.monitor.tail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.isotail.incremental.record.RowChange;
import io.isotail.ingest.sql.ColumnType;
import io.isotail.ingest.sql.Identities;
import io.isotail.ingest.sql.ObservedTable;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Messages as PostgreSQL sends them, byte by byte. */
final class WalEventsTest {
  private static final int STOCK = 16_400;
  private static final String PREFIX = "isotail x";
  private static final long NEXT = (3L << 32) + 5;

  private final List<String> told = new ArrayList<>();
  private final PgOutput output =
      new PgOutput(
          new WalEvents(
              new WalEvents.Taker() {
                @Override
                public void changes(
                    long writer, long position, boolean last, List<RowChange> rows) {
                  StringBuilder text = new StringBuilder();
                  for (RowChange row : rows) {
                    text.append(row.before() == null ? " +" : row.after() == null ? " -" : " ~")
                        .append(names(row.key()));
                  }
                  told.add("%d at %d%s%s".formatted(writer, position, text, last ? "" : " …"));
                }

                @Override
                public void anew(Set<String> anew, Set<String> tables) {
                  told.add("anew %s of %s".formatted(anew, tables));
                }

                @Override
                public void passed(String message, long end) {
                  told.add("passed %s at %d".formatted(message, end));
                }
              },
              PREFIX,
              tables(),
              Identities.ofHistory("h"),
              NEXT));

  private static WalTables tables() {
    ObservedTable stock =
        new ObservedTable(
            null,
            "stock",
            List.of(new ObservedTable.Column("id", ColumnType.INTEGER)),
            false,
            new ObservedTable.Column(ObservedTable.XMIN, null));
    return new WalTables(
        Map.of(WalTables.name("public", "stock"), stock),
        Map.of("stock", "1"),
        Set.of("1"),
        Map.of(),
        Map.of());
  }

  /** The number that a key of the table has. */
  private static String names(long key) {
    ObservedTable stock = tables().told().values().iterator().next();
    for (long i = 0; i < 5_000; i++) {
      if (Identities.ofHistory("h").key(stock, i) == key) {
        return Long.toString(i);
      }
    }
    return "?";
  }

  @Test
  void changesOfATransactionAreToldWithItsWholeId() {
    relation(STOCK, "stock");
    begin(900, 7);
    row('I', null, 'N', "1", "a");
    row('U', null, 'N', "1", "b");
    row('D', null, 'K', "1", null);
    commit(950);
    begin(960, -3);
    row('I', null, 'N', "2", "a");
    commit(970);
    assertThat(told)
        .containsExactly(
            "%d at 900 +1 ~1 -1".formatted(NEXT + 2),
            "%d at 960 +2".formatted((3L << 32) - 3)); // Of before the ids came again.
  }

  @Test
  void aRowWhoseKeyHasChangedIsTwo() {
    relation(STOCK, "stock");
    begin(900, 7);
    row('U', new String[] {"1", null}, 'N', "2", "b");
    row('U', new String[] {"3", "long"}, 'N', "3", "\u0000unchanged");
    commit(950);
    assertThat(told).containsExactly("%d at 900 -1 +2 ~3".formatted(NEXT + 2));
  }

  /** As after the columns by which the log tells removed rows have changed. */
  @Test
  void aTableWhoseRemovedRowIsNotCertainIsToldNoMore() {
    relation(STOCK, "stock");
    begin(900, 7);
    row('I', null, 'N', "1", "a");
    row('D', null, 'K', null, "a");
    commit(950);
    begin(960, 8);
    row('I', null, 'N', "2", "a");
    commit(970);
    assertThat(told).containsExactly("anew [stock] of []");
  }

  @Test
  void aTableThatIsRenamedIsNotToldUnderItsName() {
    relation(STOCK, "stock");
    begin(900, 7);
    relation(STOCK, "old");
    row('I', null, 'N', "1", "a");
    commit(950);
    assertThat(told).containsExactly("anew [stock] of [stock]");
  }

  @Test
  void anEmptiedTableIsAnewBehindItsTransaction() {
    relation(STOCK, "stock");
    begin(900, 7);
    row('I', null, 'N', "1", "a");
    message(
        out -> {
          out.write('T');
          out.writeInt(1);
          out.write(0);
          out.writeInt(STOCK);
        });
    commit(950);
    assertThat(told).containsExactly("anew [stock] of [stock]");
  }

  @Test
  void aLargeTransactionIsToldInParts() {
    relation(STOCK, "stock");
    begin(900, 7);
    for (int i = 0; i < 2_001; i++) {
      row('I', null, 'N', Integer.toString(i), "a");
    }
    commit(950);
    assertThat(told).hasSize(2);
    assertThat(told.get(0)).endsWith("…");
    assertThat(told.get(1)).isEqualTo("%d at 900 +2000".formatted(NEXT + 2));
  }

  @Test
  void messagesOfOthersAreLeftOutAndOwnOnesWaitForTheEndOfTheirTransaction() {
    emitted("of others", "1");
    emitted(PREFIX, "2");
    begin(900, 7);
    emitted(PREFIX, "3");
    assertThat(told).containsExactly("passed 2 at 0");
    commit(950);
    assertThat(told).containsExactly("passed 2 at 0", "passed 3 at 950");
  }

  @Test
  void whatIsNoMessageOfTheProtocolIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> message(out -> out.write('S')))
        .withMessageContaining("0x53");
  }

  private interface Writing {
    void to(DataOutputStream out) throws IOException;
  }

  private void message(Writing writing) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      writing.to(new DataOutputStream(bytes));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    output.read(ByteBuffer.wrap(bytes.toByteArray()));
  }

  private static void text(DataOutputStream out, String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.UTF_8));
    out.write(0);
  }

  private void begin(long position, int xid) {
    message(
        out -> {
          out.write('B');
          out.writeLong(position);
          out.writeLong(0);
          out.writeInt(xid);
        });
  }

  private void commit(long end) {
    message(
        out -> {
          out.write('C');
          out.write(0);
          out.writeLong(end - 10);
          out.writeLong(end);
          out.writeLong(0);
        });
  }

  private void relation(int id, String name) {
    message(
        out -> {
          out.write('R');
          out.writeInt(id);
          text(out, "public");
          text(out, name);
          out.write('d');
          out.writeShort(2);
          out.write(1);
          text(out, "id");
          out.writeInt(23);
          out.writeInt(-1);
          out.write(0);
          text(out, "note");
          out.writeInt(25);
          out.writeInt(-1);
        });
  }

  private void emitted(String prefix, String content) {
    message(
        out -> {
          out.write('M');
          out.write(0);
          out.writeLong(1);
          text(out, prefix);
          byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
          out.writeInt(bytes.length);
          out.write(bytes);
        });
  }

  /** A change; before with its key's columns alone. */
  private void row(int kind, String[] before, int part, String id, String note) {
    message(
        out -> {
          out.write(kind);
          out.writeInt(STOCK);
          if (before != null) {
            out.write('K');
            values(out, before);
          }
          out.write(part);
          values(out, id, note);
        });
  }

  private static void values(DataOutputStream out, String... texts) throws IOException {
    out.writeShort(texts.length);
    for (String text : texts) {
      if (text == null) {
        out.write('n');
      } else if (text.startsWith("\u0000")) {
        out.write('u');
      } else {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.write('t');
        out.writeInt(bytes.length);
        out.write(bytes);
      }
    }
  }
}
