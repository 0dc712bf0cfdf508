package io.isotail.ingest.format;

import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.VersionKind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The micro-operations of one transaction of an elle file. */
final class ElleTransaction {
  private static final String FORM = "[:append k v], [:w k v] or [:r k v]";

  private ElleTransaction() {}

  /** A place of a form that was something else; the reader knows the file. */
  static final class UnexpectedException extends Exception {
    private static final long serialVersionUID = 1L;
    final String found;
    final String expected;

    UnexpectedException(String found, String expected) {
      super(found);
      this.found = found;
      this.expected = expected;
    }
  }

  /**
   * What a list of micro-operations did.
   *
   * @param committed whether the transaction has; if not, a read of nil says nothing
   */
  static Operations operations(@Nullable Object value, boolean committed)
      throws UnexpectedException {
    if (!(value instanceof List<?> micros)) {
      throw new UnexpectedException(
          describe(value) + " as :value", "a list of micro-operations " + FORM);
    }
    Operations.Builder operations = new Operations.Builder();
    for (Object each : micros) {
      if (!(each instanceof List<?> micro) || micro.size() < 2 || micro.size() > 3) {
        throw new UnexpectedException(describe(each) + " as a micro-operation", FORM);
      }
      EdnValue key = EdnValue.of(micro.get(1));
      if (key == null) {
        throw new UnexpectedException(
            describe(micro.get(1)) + " as a key", "a number, a string or a keyword");
      }
      Object argument = micro.size() == 3 ? micro.get(2) : null;
      switch (ElleReader.word(micro.get(0))) {
        case "append", "w" ->
            add(operations, OperationKind.WRITE, key, version(argument, "a version to write"));
        case "r" -> read(operations, key, argument, committed);
        default ->
            throw new UnexpectedException(describe(micro.get(0)) + " in a micro-operation", FORM);
      }
    }
    return operations.build();
  }

  private static void read(
      Operations.Builder operations, EdnValue key, @Nullable Object result, boolean committed)
      throws UnexpectedException {
    if (result == null && !committed) {
      return; // Not known what was read.
    }
    if (result == null || (result instanceof List<?> none && none.isEmpty())) {
      operations.add(OperationKind.READ, key.id(), VersionKind.INITIAL, 0);
      if (key.name() != null) {
        operations.names(key.name(), null);
      }
      return;
    }
    if (!(result instanceof List<?> list)) {
      add(operations, OperationKind.READ, key, version(result, "a version that was read"));
      return;
    }
    EdnValue[] versions = new EdnValue[list.size()];
    for (int i = 0; i < versions.length; i++) {
      versions[i] = version(list.get(i), "a version in a list");
    }
    operations.add(OperationKind.LISTED, key.id(), VersionKind.INITIAL, 0);
    if (key.name() != null) {
      operations.names(key.name(), null);
    }
    int last = versions.length - 1;
    for (int i = 0; i < last; i++) {
      add(operations, OperationKind.LISTED, key, versions[i]);
    }
    add(operations, OperationKind.READ, key, versions[last]);
  }

  private static void add(
      Operations.Builder operations, OperationKind kind, EdnValue key, EdnValue version) {
    operations.add(kind, key.id(), VersionKind.KNOWN, version.id());
    if (key.name() != null || version.name() != null) {
      operations.names(key.name(), version.name());
    }
  }

  private static EdnValue version(@Nullable Object form, String what) throws UnexpectedException {
    EdnValue version = EdnValue.of(form);
    if (version == null) {
      throw new UnexpectedException(
          describe(form) + " as " + what, "a number, a string or a keyword");
    }
    return version;
  }

  /** A form in a few words, without what it holds. */
  static String describe(@Nullable Object form) {
    if (form == null) {
      return "nil";
    }
    if (form instanceof List<?> list) {
      return "a list of " + list.size();
    }
    if (form instanceof java.util.Map<?, ?>) {
      return "a map";
    }
    String text = form instanceof EdnReader.Word word ? word.text() : "'" + form + "'";
    return text.length() <= 40 ? text : text.substring(0, 40) + "…";
  }
}
