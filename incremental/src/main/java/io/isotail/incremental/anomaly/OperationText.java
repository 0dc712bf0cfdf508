package io.isotail.incremental.anomaly;

import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.VersionKind;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Keys and versions as people read them, in sentences and in graphs: in clear where the proxy gave
 * names, else as hashes. A version that names its writer is what the database calls the writer:
 * {@code xmin 757} on PostgreSQL. On MariaDB, where ids are one more than the number of the
 * transaction in the log, {@code GTID …-756} is what {@code mariadb-binlog} shows.
 */
public final class OperationText {
  private static final long LOW_BITS = 0xFFFF_FFFFL;
  private static final String MARIADB = "mariadb";

  /** Numbers of the databases that number writers in a binary log. */
  private final Set<Integer> withBinaryLog;

  private OperationText(Set<Integer> withBinaryLog) {
    this.withBinaryLog = withBinaryLog;
  }

  /**
   * The words for operations of these transactions. Which database it is tell the levels of those
   * that were captured; the others are of one of the same databases.
   */
  public static OperationText of(List<CapsuleTransaction> transactions) {
    return new OperationText(
        transactions.stream()
            .filter(t -> isOnMariaDb(t.ranAt()))
            .map(t -> t.operations().database())
            .collect(Collectors.toSet()));
  }

  /** The words for operations of one transaction, which ran at this level. */
  public static OperationText of(Operations ops, @Nullable String ranAt) {
    return new OperationText(isOnMariaDb(ranAt) ? Set.of(ops.database()) : Set.of());
  }

  private static boolean isOnMariaDb(@Nullable String ranAt) {
    return ranAt != null && ranAt.startsWith(MARIADB);
  }

  /** The key of operation {@code i}. */
  public static String key(Operations ops, int i) {
    String table = ops.statement(i).table();
    String name = ops.keyName(i);
    if (name != null) {
      return table == null ? name : table + "[" + name + "]";
    }
    return table == null
        ? Long.toUnsignedString(ops.plainKey(i))
        : table + "#" + String.format("%016x", ops.plainKey(i));
  }

  /** The version of operation {@code i}. */
  public String version(Operations ops, int i) {
    if (ops.kind(i) == OperationKind.DELETE) {
      return "deleted";
    }
    if (ops.versionKind(i) == VersionKind.INITIAL && !ops.beforeCapture(i)) {
      return ops.statement(i).table() == null ? "initial" : "absent";
    }
    if (ops.versionKind(i) == VersionKind.UNKNOWN) {
      return "?";
    }
    String name = ops.versionName(i);
    if (name != null) {
      return name;
    }
    if (ops.namesWriters(i)) {
      return writer(ops, ops.plainVersion(i));
    }
    return isHashed(ops, i)
        ? String.format("%016x", ops.version(i))
        : Long.toUnsignedString(ops.version(i));
  }

  private String writer(Operations ops, long id) {
    return withBinaryLog.contains(ops.database())
        ? "GTID …-" + (id - 1 & LOW_BITS)
        : "xmin " + Long.toUnsignedString(id);
  }

  /** Whether the proxy hashed key and version, and gave no names. */
  public static boolean isHashed(Operations ops, int i) {
    return ops.statement(i).table() != null && ops.keyName(i) == null;
  }

  /**
   * What opaque operation {@code i} may have written: the row that its statement names, as {@code
   * key=?}, or any of its table.
   */
  public static String unseen(Operations ops, int i) {
    if (ops.plainKey(i) != 0) {
      return key(ops, i) + "=?";
    }
    String table = ops.statement(i).table();
    return (table == null ? "any table" : table) + ", any key";
  }

  /** {@code key=version} of operation {@code i}. */
  public String assignment(Operations ops, int i) {
    return key(ops, i) + "=" + version(ops, i);
  }

  /** The name of {@code key} as these operations have it, or its number. */
  public static String nameOf(Operations ops, long key) {
    for (int i = 0; i < ops.size(); i++) {
      if (ops.kind(i) != OperationKind.OPAQUE && ops.key(i) == key) {
        return key(ops, i);
      }
    }
    return Long.toUnsignedString(key);
  }
}
