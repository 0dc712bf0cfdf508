package io.isotail.incremental.cause;

import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What to do about a cause: whose fault it is, and which statements to change. It names the
 * statements of the cause; where none are known, as in a history file, it says what kind is meant.
 *
 * @param fault whether the database broke what it promises at the level that was asked for, or the
 *     application runs at a level that allows this
 * @param remedies in the order in which they are to be thought of; at least one
 */
public record Advice(String fault, List<Remedy> remedies) {
  private static final int MOST_CHARS = 160;

  /** Copies the list. */
  public Advice {
    remedies = List.copyOf(remedies);
  }

  /** The advice for a cause. */
  public static Advice of(CauseReport cause) {
    return new Advice(
        fault(cause),
        cause.fault() == Fault.DATABASE && !cause.kind().isOfEnd()
            ? ofDatabase(cause)
            : remedies(cause));
  }

  private static String fault(CauseReport cause) {
    if (cause.kind().isOfEnd()) {
      return "The database, or what stands between it and its clients, ended transactions otherwise than it told. No level allows this.";
    }
    String levels = String.join(" and ", cause.ranAt());
    return switch (cause.fault()) {
      case UNKNOWN ->
          "Whose fault it is cannot be told: not every transaction tells the level that it ran at. %s forbids this."
              .formatted(cause.level().label());
      case DATABASE ->
          "The database broke its promise: these transactions ran at %s, which forbids this."
              .formatted(levels);
      case APPLICATION ->
          isOnlySet(cause)
              ? onlySet(cause, levels)
              : "The database is right: %s. The promise is %s or more, which forbids it: change the code, or the promise."
                  .formatted(
                      cause.ranAt().size() == 1
                          ? "these transactions ran at %s, which allows this".formatted(levels)
                          : "these transactions ran at %s, and not all of these levels forbid this"
                              .formatted(levels),
                      cause.level().label());
    };
  }

  /**
   * Whether the promise is stronger than what is documented for a level that is called otherwise:
   * then nobody but who made the settings has given it.
   */
  private static boolean isOnlySet(CauseReport cause) {
    return cause.ranAt().stream().allMatch(ranAt -> isDocumentedBelow(ranAt, cause.level()))
        && cause.ranAt().stream().anyMatch(ranAt -> !ranAt.endsWith(":" + documented(ranAt)));
  }

  private static boolean isDocumentedBelow(String ranAt, IsolationLevel level) {
    IsolationLevel documented = CheckerConfig.documentedBy(ranAt);
    return documented != null && !documented.atLeast(level);
  }

  private static String documented(String ranAt) {
    IsolationLevel documented = CheckerConfig.documentedBy(ranAt);
    return documented == null ? "" : documented.label();
  }

  private static String onlySet(CauseReport cause, String levels) {
    String documented =
        cause.ranAt().stream()
            .map(Advice::documented)
            .distinct()
            .collect(Collectors.joining(" and "));
    boolean canBeSwitched =
        cause.level() == IsolationLevel.SNAPSHOT_ISOLATION
            && cause.ranAt().stream().anyMatch(ranAt -> ranAt.startsWith("mariadb:repeatable"));
    return "The database is right: these transactions ran at %s; by its documentation that is %s, which allows this. isotail's settings promise %s or more, which forbids it: change the code, the level, or that setting.%s"
        .formatted(
            levels,
            documented,
            cause.level().label(),
            canBeSwitched
                ? " Only with innodb_snapshot_isolation = ON does MariaDB keep that at REPEATABLE READ."
                : "");
  }

  /** Until the database is mended, what an application can do without relying on its levels. */
  private static List<Remedy> ofDatabase(CauseReport cause) {
    List<Remedy> all = new ArrayList<>();
    all.add(
        new Remedy(
            "Keep the witness and report it to the vendor: no change of the application is called for.",
            "nothing"));
    remedies(cause).stream()
        .filter(remedy -> !remedy.equals(raise(cause)))
        .findFirst()
        .ifPresent(
            remedy ->
                all.add(
                    new Remedy(
                        "Until it is mended: " + decapitalised(remedy.what()), remedy.cost())));
    return all;
  }

  private static List<Remedy> remedies(CauseReport cause) {
    Statements of = new Statements(cause);
    return switch (cause.kind()) {
      case LOST_UPDATE, BLIND_LOST_UPDATE -> lostUpdate(cause, of);
      case WRITE_SKEW, DANGEROUS_STRUCTURE, READ_ONLY_ANOMALY -> writeSkew(cause, of);
      case NON_REPEATABLE_READS -> repeatedRead(cause, of);
      case FRACTURED_READ, READ_SKEW, NON_MONOTONIC_READ -> fracturedRead(cause, of);
      case SESSION_GUARANTEE_VIOLATION -> isOnStandby(cause) ? lateRead(of) : ownWrite(cause);
      case STALE_READ -> isOnStandby(cause) ? lateRead(of) : staleRead(cause);
      case LONG_FORK, CAUSALITY_VIOLATION, COMMIT_ORDER_CYCLE ->
          isOnStandby(cause) ? lateRead(of) : List.of(raise(cause));
      case ABORTED_READ, INTERMEDIATE_READ, DIRTY_WRITE, INCOMPATIBLE_ORDER ->
          List.of(raise(cause));
      case LOST_COMMIT, UNASKED_COMMIT ->
          List.of(
              new Remedy(
                  "Look for what stands between application and database and answers in its place (a pooler, a proxy), and for a server that was started again with settings that give durability up.",
                  "nothing"));
      case THIN_AIR_READ,
          FUTURE_READ,
          NOT_MY_LAST_WRITE,
          NOT_MY_OWN_WRITE,
          DUPLICATE_ELEMENT,
          INTERNAL_READ,
          CAUSALITY_CYCLE ->
          List.of(
              new Remedy(
                  "No level allows this. Look for what stands between application and database (a cache, a proxy that sends reads elsewhere), and for versions that come back (a restored backup, a counter that was reset).",
                  "nothing"));
    };
  }

  private static List<Remedy> lostUpdate(CauseReport cause, Statements of) {
    List<Remedy> remedies = new ArrayList<>();
    remedies.add(
        new Remedy(
            "Lock what is read before it is written: %s.".formatted(of.locks()),
            "transactions that change the same row wait for each other"));
    if (!of.writesRelatively()) {
      remedies.add(
          new Remedy(
              "Or write relatively: let %s compute the new value from the row (SET n = n - ?)."
                  .formatted(of.writes()),
              "nothing, where the new value needs no more than the old one"));
    }
    remedies.add(
        new Remedy(
            "Or check what was read: add its version to the condition of %s, and read again when it changes no row."
                .formatted(of.writes()),
            "a retry for each conflict"));
    remedies.add(raise(cause));
    return remedies;
  }

  private static List<Remedy> writeSkew(CauseReport cause, Statements of) {
    return List.of(
        raise(cause),
        new Remedy(
            "Or lock what both decide by: %s. Then the second transaction waits for the first one, and sees what that wrote or fails with SQLSTATE 40001 and begins again."
                .formatted(of.locks()),
            "transactions that read the same rows wait for each other; rows that do not exist yet are not locked"));
  }

  private static List<Remedy> repeatedRead(CauseReport cause, Statements of) {
    return List.of(
        new Remedy(
            "Read each row once in a transaction, and go on with what was read: %s the same row again."
                .formatted(of.reads() + (of.countReads() > 1 ? " read" : " reads")),
            "nothing"),
        raise(cause));
  }

  private static List<Remedy> fracturedRead(CauseReport cause, Statements of) {
    return List.of(
        new Remedy(
            of.countReads() == 1
                ? "Read all the rows in one statement (WHERE … IN (…)): %s ran more than once in a transaction, and what it reads was changed in between."
                    .formatted(of.reads())
                : "Read what belongs together in one statement, in place of %s."
                    .formatted(of.reads()),
            "nothing"),
        raise(cause));
  }

  private static boolean isOnStandby(CauseReport cause) {
    return cause.ranAt().stream().anyMatch(ranAt -> ranAt.contains("standby"));
  }

  private static List<Remedy> lateRead(Statements of) {
    return List.of(
        new Remedy(
            "Send %s to the primary.".formatted(of.reads()), "its load grows by these reads"),
        new Remedy(
            "Or let the writers wait until standbys have applied their commits: synchronous_commit = remote_apply for %s."
                .formatted(of.writes()),
            "each commit takes as long as the slowest of the synchronous standbys"));
  }

  private static List<Remedy> ownWrite(CauseReport cause) {
    return List.of(
        new Remedy(
            "Look for what sends the reads of this session elsewhere (a cache, a router, a replica): one server shows a session its own writes at every level.",
            "nothing"),
        raise(cause));
  }

  private static List<Remedy> staleRead(CauseReport cause) {
    Remedy oneMoment =
        new Remedy(
            "Or run %s at REPEATABLE READ or above, which reads all rows at one moment: on one server only a transaction that reads at two moments misses such a commit."
                .formatted(who(cause)),
            "a retry for each conflict");
    return readsAnew(cause) ? List.of(raise(cause), oneMoment) : List.of(raise(cause));
  }

  private static Remedy raise(CauseReport cause) {
    String who = who(cause);
    String begin = cause.kind() == AnomalyKind.LOST_UPDATE ? "Or run" : "Run";
    return switch (cause.level()) {
      case READ_COMMITTED ->
          new Remedy(
              "%s %s at READ COMMITTED or above, which shows only what was committed."
                  .formatted(begin, who),
              "nothing");
      case STRICT_SERIALIZABLE ->
          new Remedy(
              "%s %s one after the other, or on one connection: few databases promise real time."
                  .formatted(begin, who),
              "they no longer overlap");
      case SERIALIZABLE ->
          new Remedy(
              "%s %s at SERIALIZABLE, and all others that change the same rows; begin each again when it fails with SQLSTATE 40001."
                  .formatted(begin, who),
              "a retry for each conflict, and the database keeps track of what is read");
      case SNAPSHOT_ISOLATION ->
          isOnInnoDb(cause)
              ? new Remedy(
                  "%s %s at SERIALIZABLE, and begin each again when it fails with SQLSTATE 40001. REPEATABLE READ is enough on MariaDB with innodb_snapshot_isolation = ON, where it fails with error 1020."
                      .formatted(begin, who),
                  "a retry for each conflict, and reads wait for writers")
              : repeatableRead(begin, who);
      default -> repeatableRead(begin, who);
    };
  }

  private static Remedy repeatableRead(String begin, String who) {
    return new Remedy(
        "%s %s at REPEATABLE READ or above, and begin each again when it fails with SQLSTATE 40001."
            .formatted(begin, who),
        "a retry for each conflict");
  }

  /** Whether a write may overwrite what its transaction's snapshot does not show. */
  private static boolean isOnInnoDb(CauseReport cause) {
    return cause.ranAt().stream()
        .anyMatch(ranAt -> ranAt.startsWith("mariadb:") || ranAt.startsWith("mysql:"));
  }

  /** Whether one of the transactions ran at a level where each statement reads anew. */
  private static boolean readsAnew(CauseReport cause) {
    return cause.ranAt().stream().anyMatch(ranAt -> ranAt.endsWith("read-committed"));
  }

  private static String who(CauseReport cause) {
    List<String> names = cause.endpoints().isEmpty() ? cause.services() : cause.endpoints();
    return names.isEmpty()
        ? "these transactions"
        : "the transactions of " + String.join(" and ", names);
  }

  private static String decapitalised(String text) {
    return text.substring(0, 1).toLowerCase(Locale.ROOT) + text.substring(1);
  }

  /** The statements of a cause by what they do. */
  private record Statements(CauseReport cause) {
    private static final String READS = "the statement that reads it";
    private static final Pattern WRITE =
        Pattern.compile(
            "(?is)\\s*(INSERT|UPDATE|DELETE|MERGE|COPY)\\b.*|\\s*WITH\\b.*\\b(INSERT\\s+INTO|UPDATE|DELETE\\s+FROM)\\b.*");

    private static final Pattern RELATIVE =
        Pattern.compile(
            "(?is)\\s*UPDATE\\b.*\\bSET\\s+(\\w+)\\s*=\\s*\\1\\s*[-+*/][^,]*\\bWHERE\\b.*");

    String reads() {
      return quoted(text -> !writes(text), READS);
    }

    /** How those are locked that lock nothing yet. */
    String locks() {
      List<CausePart> unlocked = parts(text -> !writes(text) && !CausePart.locks(text)).toList();
      return unlocked.isEmpty() ? "add FOR UPDATE to " + READS : RowLocks.of(unlocked);
    }

    String writes() {
      return quoted(Statements::writes, "the statement that writes it");
    }

    private static boolean writes(String text) {
      return WRITE.matcher(text).matches() && !CausePart.locks(text);
    }

    /** Whether each write is known to compute the new value from the row. */
    boolean writesRelatively() {
      List<String> writes = texts(Statements::writes);
      return !writes.isEmpty() && writes.stream().allMatch(w -> RELATIVE.matcher(w).matches());
    }

    /** How many statements {@link #reads} names. */
    int countReads() {
      return texts(text -> !writes(text)).size();
    }

    private String quoted(Predicate<String> wanted, String unknown) {
      List<String> texts = texts(wanted);
      return texts.isEmpty()
          ? unknown
          : texts.stream().map(Advice::quoted).collect(Collectors.joining(" and "));
    }

    private List<String> texts(Predicate<String> wanted) {
      return parts(wanted).map(CausePart::fingerprint).distinct().toList();
    }

    private Stream<CausePart> parts(Predicate<String> wanted) {
      return cause.parts().stream()
          .filter(part -> !part.fingerprint().isEmpty() && !part.fingerprint().startsWith("("))
          .filter(part -> wanted.test(part.fingerprint()));
    }
  }

  /** A statement as it stands in a sentence, cut if it is long. */
  static String quoted(String text) {
    return "`"
        + (text.length() <= MOST_CHARS ? text : text.substring(0, MOST_CHARS - 1) + "…")
        + "`";
  }
}
