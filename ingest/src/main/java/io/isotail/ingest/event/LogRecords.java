package io.isotail.ingest.event;

import com.google.protobuf.ByteString;
import io.isotail.incremental.record.Changes;
import io.isotail.incremental.record.LogMark;
import io.isotail.incremental.record.LogStart;
import io.isotail.incremental.record.LoggedTable;
import io.isotail.incremental.record.RowChange;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.StreamRecord;
import io.isotail.ingest.event.proto.Envelope;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Records of what the log of a database tells. They came with schema 4. */
final class LogRecords {
  private static final int BEFORE = 1;
  private static final int AFTER = 2;

  private LogRecords() {}

  /** Whether a record is one of these. */
  static boolean isOne(StreamRecord record) {
    return record instanceof LogStart || record instanceof Changes || record instanceof LogMark;
  }

  /** The Kafka value of a record. */
  static byte[] encode(StreamRecord record) {
    Envelope.Builder envelope = EventCodec.envelope();
    if (record instanceof LogStart start) {
      var message = envelope.getLogStartBuilder();
      message.setSource(start.source()).setFirstWriter(start.firstWriter());
      message.setRowsNameWriters(start.rowsNameWriters());
      if (start.nextWriter() != start.firstWriter()) {
        message.setNextWriter(start.nextWriter());
      }
      start.tables().stream().sorted().forEach(message::addTables);
      if (start.goesOn() != null) {
        message.setGoesOn(start.goesOn());
      }
      start.anew().stream().sorted().forEach(message::addAnew);
      if (start.database() != SessionInfo.NO_DATABASE) {
        message.setDatabase(start.database());
      }
    } else if (record instanceof LogMark mark) {
      envelope.getLogMarkBuilder().setSource(mark.source()).setNextSequence(mark.nextSequence());
    } else if (record instanceof Changes changes) {
      encode(changes, envelope.getChangesBuilder());
    }
    return envelope.build().toByteArray();
  }

  private static void encode(
      Changes changes, io.isotail.ingest.event.proto.Changes.Builder message) {
    message
        .setSource(changes.source())
        .setSequence(changes.sequence())
        .setWriter(changes.writer())
        .setLast(changes.last());
    if (changes.position() != changes.writer()) {
      message.setPosition(changes.position());
    }
    Map<LoggedTable, Integer> tables = new HashMap<>();
    byte[] rows = new byte[changes.rows().size()];
    for (int i = 0; i < rows.length; i++) {
      RowChange change = changes.rows().get(i);
      LoggedTable table = change.table();
      Integer known = tables.get(table);
      if (known == null) {
        known = tables.size();
        tables.put(table, known);
        message.addTablesBuilder().setName(table.name()).addAllColumns(table.columns());
      }
      message.addTableOf(known).addKeys(change.key());
      rows[i] =
          (byte) ((change.before() == null ? 0 : BEFORE) | (change.after() == null ? 0 : AFTER));
      add(message, change.before());
      add(message, change.after());
    }
    message.setRows(ByteString.copyFrom(rows));
  }

  private static void add(
      io.isotail.ingest.event.proto.Changes.Builder message, long @Nullable [] content) {
    if (content != null) {
      for (long column : content) {
        message.addContents(column);
      }
    }
  }

  /**
   * The record that an envelope holds.
   *
   * @throws BadRecordException if it makes no sense
   */
  static StreamRecord decode(Envelope envelope) throws BadRecordException {
    return switch (envelope.getRecordCase()) {
      case LOG_START -> {
        var message = envelope.getLogStart();
        yield new LogStart(
            message.getSource(),
            message.getDatabase(),
            message.getFirstWriter(),
            message.hasNextWriter() ? message.getNextWriter() : message.getFirstWriter(),
            message.getRowsNameWriters(),
            new HashSet<>(message.getTablesList()),
            message.getGoesOn().isEmpty() ? null : message.getGoesOn(),
            new HashSet<>(message.getAnewList()));
      }
      case LOG_MARK ->
          new LogMark(envelope.getLogMark().getSource(), envelope.getLogMark().getNextSequence());
      case CHANGES -> changes(envelope.getChanges());
      default -> throw new IllegalArgumentException(envelope.getRecordCase().name());
    };
  }

  private static Changes changes(io.isotail.ingest.event.proto.Changes message)
      throws BadRecordException {
    if (message.getWriter() < 1 || message.getSequence() < 0) {
      throw new BadRecordException(
          "changes with writer=%d sequence=%d; expected a writer above 0 and no sequence below 0"
              .formatted(message.getWriter(), message.getSequence()));
    }
    List<LoggedTable> tables = new ArrayList<>();
    for (var table : message.getTablesList()) {
      tables.add(new LoggedTable(table.getName(), table.getColumnsList()));
    }
    byte[] kinds = message.getRows().toByteArray();
    Columns.require("changes", "table_of", message.getTableOfCount(), kinds.length, false);
    Columns.require("changes", "keys", message.getKeysCount(), kinds.length, false);
    List<RowChange> rows = new ArrayList<>(kinds.length);
    int next = 0;
    for (int i = 0; i < kinds.length; i++) {
      int index = message.getTableOf(i);
      if (index < 0 || index >= tables.size() || (kinds[i] & ~(BEFORE | AFTER)) != 0) {
        throw new BadRecordException(
            "change %d of table %s with rows 0x%02x; expected one of %d tables and rows up to 0x03"
                .formatted(i, Integer.toUnsignedString(index), kinds[i] & 0xff, tables.size()));
      }
      LoggedTable table = tables.get(index);
      long[] before = (kinds[i] & BEFORE) == 0 ? null : content(message, next, table);
      next += before == null ? 0 : before.length;
      long[] after = (kinds[i] & AFTER) == 0 ? null : content(message, next, table);
      next += after == null ? 0 : after.length;
      rows.add(new RowChange(table, message.getKeys(i), before, after));
    }
    if (next != message.getContentsCount()) {
      throw new BadRecordException(
          "changes with %d hashes of columns; expected %d"
              .formatted(message.getContentsCount(), next));
    }
    return new Changes(
        message.getSource(),
        message.getSequence(),
        message.getWriter(),
        message.hasPosition() ? message.getPosition() : message.getWriter(),
        message.getLast(),
        rows);
  }

  private static long[] content(
      io.isotail.ingest.event.proto.Changes message, int from, LoggedTable table)
      throws BadRecordException {
    long[] content = new long[table.columns().size()];
    if (content.length > message.getContentsCount() - from) {
      throw new BadRecordException(
          "changes with %d hashes of columns; expected %d more for table %s"
              .formatted(message.getContentsCount(), content.length, table.name()));
    }
    for (int i = 0; i < content.length; i++) {
      content[i] = message.getContents(from + i);
    }
    return content;
  }
}
