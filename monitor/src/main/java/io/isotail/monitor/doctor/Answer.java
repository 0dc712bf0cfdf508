package io.isotail.monitor.doctor;

import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a server answered to one exchange, in full: how it described the columns, the rows, or the
 * error.
 *
 * @param labels of the columns
 * @param described how each column was described
 * @param rows the values as texts
 * @param state SQLSTATE of the error; null if there was none
 * @param error all that was said about it
 */
record Answer(
    List<String> labels,
    List<String> described,
    List<List<@Nullable String>> rows,
    @Nullable String state,
    String error) {

  Answer {
    labels = List.copyOf(labels);
    described = List.copyOf(described);
    rows = Collections.unmodifiableList(new ArrayList<>(rows));
  }

  static Answer refused(SQLException e) {
    return new Answer(
        List.of(),
        List.of(),
        List.of(),
        String.valueOf(e.getSQLState()),
        String.valueOf(e.getMessage()));
  }

  /** Reads all rows. */
  static Answer of(ResultSet result) throws SQLException {
    ResultSetMetaData about = result.getMetaData();
    int columns = about.getColumnCount();
    List<String> labels = new ArrayList<>();
    List<String> described = new ArrayList<>();
    for (int i = 1; i <= columns; i++) {
      labels.add(about.getColumnLabel(i));
      described.add(
          String.join(
              " ",
              about.getColumnTypeName(i),
              Integer.toString(about.getPrecision(i)),
              Integer.toString(about.getScale(i)),
              Integer.toString(about.isNullable(i)),
              about.getTableName(i),
              about.getColumnName(i)));
    }
    List<List<@Nullable String>> rows = new ArrayList<>();
    while (result.next()) {
      List<@Nullable String> row = new ArrayList<>();
      for (int i = 1; i <= columns; i++) {
        row.add(result.getString(i));
      }
      rows.add(Collections.unmodifiableList(row));
    }
    return new Answer(labels, described, rows, null, "");
  }

  /** This one and what the same statement answered when it was executed again. */
  Answer and(Answer again) {
    List<String> bothLabels = new ArrayList<>(labels);
    bothLabels.addAll(again.labels);
    List<String> bothDescribed = new ArrayList<>(described);
    bothDescribed.addAll(again.described);
    List<List<@Nullable String>> bothRows = new ArrayList<>(rows);
    bothRows.addAll(again.rows);
    return new Answer(bothLabels, bothDescribed, bothRows, null, "");
  }

  /**
   * In what it differs from another answer; null if in nothing. Tells no value.
   *
   * @param of whose the other one is, as in {@code directly}
   */
  @Nullable String differenceFrom(Answer other, String of) {
    if (state != null || other.state != null) {
      return refusal(other, of);
    }
    if (!labels.equals(other.labels)) {
      return "has the columns %s, and %s %s".formatted(labels, of, other.labels);
    }
    for (int i = 0; i < described.size(); i++) {
      if (!described.get(i).equals(other.described.get(i))) {
        return "describes column %s as '%s', and %s as '%s'"
            .formatted(labels.get(i), described.get(i), of, other.described.get(i));
      }
    }
    return valuesFrom(other.rows, of);
  }

  private @Nullable String refusal(Answer other, String of) {
    if (other.state == null) {
      return "is refused (%s), and %s it is not".formatted(state, of);
    }
    if (state == null) {
      return "is not refused, and %s it is (%s)".formatted(of, other.state);
    }
    return state.equals(other.state) && error.equals(other.error)
        ? null
        : "is refused with other words (%s, and %s %s)".formatted(state, of, other.state);
  }

  /** In what the rows differ from others; null if in nothing. */
  @Nullable String valuesFrom(List<List<@Nullable String>> others, String of) {
    if (rows.size() != others.size()) {
      return "has %d rows, and %s %d".formatted(rows.size(), of, others.size());
    }
    for (int i = 0; i < rows.size(); i++) {
      if (!rows.get(i).equals(others.get(i))) {
        return "differs in row %d of %d".formatted(i + 1, rows.size());
      }
    }
    return null;
  }
}
