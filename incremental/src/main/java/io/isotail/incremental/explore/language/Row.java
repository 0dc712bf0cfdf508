package io.isotail.incremental.explore.language;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A row of a table.
 *
 * @param key its key
 * @param columns the values of its columns, by name
 */
record Row(Object key, Map<String, Object> columns) {

  Row with(String column, Object value) {
    Map<String, Object> changed = new LinkedHashMap<>(columns);
    changed.put(column, value);
    return new Row(key, changed);
  }

  @Override
  public String toString() {
    return columns.entrySet().stream()
        .map(column -> column.getKey() + "=" + column.getValue())
        .collect(Collectors.joining(", ", "(", ")"));
  }
}
