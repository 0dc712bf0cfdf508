package io.isotail.ingest.sql;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Functions that somebody has named, each with its schema or, for all schemas, without. */
public final class FunctionNames {
  private FunctionNames() {}

  /**
   * Whether a function is among them.
   *
   * @param schema null if it is called without one, or if it is not known
   */
  public static boolean contain(Set<String> names, @Nullable String schema, String name) {
    return names.contains(name)
        || (schema == null
            ? names.stream().anyMatch(each -> each.endsWith("." + name))
            : names.contains(schema + "." + name));
  }
}
