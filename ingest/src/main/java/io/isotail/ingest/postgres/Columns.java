package io.isotail.ingest.postgres;

import io.isotail.ingest.sql.Rewriting;
import java.util.ArrayList;
import java.util.List;

/**
 * The columns of a result, as the server describes them.
 *
 * @param labels their names
 * @param binary for each whether it comes in binary format; of a statement that was not bound yet
 *     it is not known
 */
record Columns(List<String> labels, List<Boolean> binary) {
  private static final int AFTER_NAME = 18;

  /** Copies the lists. */
  Columns {
    labels = List.copyOf(labels);
    binary = List.copyOf(binary);
  }

  /** Reads a RowDescription. */
  static Columns of(Message description) {
    int count = description.int16(Message.BODY);
    List<String> labels = new ArrayList<>(count);
    List<Boolean> binary = new ArrayList<>(count);
    int at = Message.BODY + 2;
    for (int i = 0; i < count; i++) {
      labels.add(description.text(at));
      at = description.afterText(at) + AFTER_NAME;
      binary.add(description.int16(at - 2) == 1);
    }
    return new Columns(labels, binary);
  }

  /** How many columns at the end have names that isotail gives to columns that it adds. */
  int added() {
    int added = 0;
    while (added < labels.size() && Rewriting.addsName(labels.get(labels.size() - 1 - added))) {
      added++;
    }
    return added;
  }

  /** Where the description of a column begins, from 0, in a RowDescription. */
  static int placeOf(Message description, int column) {
    int at = Message.BODY + 2;
    for (int i = 0; i < column; i++) {
      at = description.afterText(at) + AFTER_NAME;
    }
    return at;
  }
}
