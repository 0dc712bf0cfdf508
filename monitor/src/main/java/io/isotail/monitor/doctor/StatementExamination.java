package io.isotail.monitor.doctor;

import io.isotail.ingest.capture.Dialect;
import io.isotail.ingest.capture.Dialects;
import io.isotail.ingest.sql.Analysis;
import io.isotail.ingest.sql.AnalyzedSql;
import io.isotail.ingest.sql.Identities;
import io.isotail.ingest.sql.KeyPredicate;
import io.isotail.ingest.sql.NamedTables;
import io.isotail.ingest.sql.ObservedTable;
import io.isotail.ingest.sql.ObservedTables;
import io.isotail.ingest.sql.Operand;
import io.isotail.ingest.sql.Placeholders;
import io.isotail.ingest.sql.Rewriting;
import io.isotail.ingest.sql.Slot;
import io.isotail.ingest.sql.SqlDialect;
import io.isotail.ingest.sql.StatementAnalyzer;
import io.isotail.ingest.sql.StatementTrait;
import io.isotail.ingest.sql.TransactionControl;
import io.isotail.ingest.sql.Uninterpreted;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What capture makes of one statement, by its text alone: no database is asked. Where no tables are
 * declared, those that the text names are taken for observed, by the key {@code id}.
 */
public final class StatementExamination {
  private static final Pattern NUMBERED = Pattern.compile("\\$\\d");

  private final Dialect dialect;
  private final ObservedTables tables;
  private final boolean declared;
  private final AnalyzedSql sql;
  private final List<Diagnosis.Fact> facts = new ArrayList<>();
  private final List<Diagnosis.Problem> problems = new ArrayList<>();

  /**
   * A statement.
   *
   * @param text its text
   * @param database the kind of database, as URLs name it: {@code mysql}
   * @param declared the observed tables; null if they are not declared
   * @param harmlessFunctions functions that write no observed table
   * @param identities of the history
   */
  public StatementExamination(
      String text,
      String database,
      @Nullable ObservedTables declared,
      Set<String> harmlessFunctions,
      Identities identities) {
    this.dialect = Dialects.of(database);
    SqlDialect written = dialect.sql();
    boolean numbered = written.numbersParameters() && NUMBERED.matcher(text).find();
    Placeholders placeholders = numbered ? Placeholders.NUMBERED : Placeholders.QUESTION_MARKS;
    this.declared = declared != null;
    this.tables = declared == null ? NamedTables.in(text, placeholders, written) : declared;
    this.sql =
        new StatementAnalyzer(tables, harmlessFunctions, written, identities)
            .of(text, placeholders);
  }

  /** What becomes of it. */
  public Diagnosis run() {
    fact("dialect", dialectWords());
    fact(
        "observed",
        tables.all().isEmpty()
            ? "no table is named"
            : tables.all().stream().map(StatementExamination::declaration).collect(joined())
                + (declared ? "" : " (taken from the text; declare others with --observed)"));
    fact("fingerprint", sql.fingerprint().isEmpty() ? "(none)" : sql.fingerprint());
    Rewriting sent = sql.rewriting();
    Analysis analysis = sent == null ? sql.analysis() : sent.addition().analysis();
    effect(analysis);
    if (sent != null) {
      fact("sent as", sent.text());
      fact("else", "as it is, where the catalog shows that it cannot return that");
    }
    for (StatementTrait trait : StatementTrait.values()) {
      if (sql.may(trait)) {
        fact("also", trait.words());
      }
    }
    return new Diagnosis(facts, null, problems);
  }

  private String dialectWords() {
    return dialect.sql().showsTexts()
        ? dialect.database()
        : dialect.database()
            + ", which isotail does not know: only what all databases read alike counts";
  }

  private void effect(Analysis analysis) {
    if (analysis instanceof Analysis.Harmless) {
      fact("effect", "none: it concerns no observed table");
    } else if (analysis instanceof Analysis.Elsewhere) {
      fact("effect", "writes a table that is not observed: that it wrote is recorded");
    } else if (analysis instanceof Analysis.Control control) {
      fact("effect", "transaction control: " + words(control.control()));
    } else if (analysis instanceof Analysis.Opaque opaque) {
      fact("effect", "opaque: may write any row of the tables below");
      opaque.tables().forEach(table -> fact("writes", table.identityName() + ": any row"));
      problem(opaque.reason());
    } else if (analysis instanceof Analysis.Unread unread) {
      fact("effect", "unread: reads an observed table, and what it reads is not recorded");
      problem(unread.reason());
    } else {
      recorded(analysis);
    }
  }

  private void recorded(Analysis analysis) {
    if (analysis instanceof Analysis.Select select && !showsVersion(select)) {
      fact("effect", "unread: its rows do not show the version that was read");
      problems.add(
          new Diagnosis.Problem(
              "row-without-key-or-version",
              "Its rows have no version among their columns.",
              "Select the key and " + select.table().version().name() + "."));
    } else if (analysis instanceof Analysis.Select select) {
      fact("effect", "read");
      fact("reads", rows(select.table(), select.predicate()));
    } else if (analysis instanceof Analysis.Query query) {
      fact("effect", "read");
      for (Analysis.Source source : query.sources()) {
        fact("reads", source.table().identityName() + ": each row that its rows are made of");
      }
      if (query.readsMore()) {
        problem(Uninterpreted.SUBQUERY);
      }
    } else if (analysis instanceof Analysis.Update update) {
      written("update", update.table(), update.predicate());
      fact("version", version(update.version()));
    } else if (analysis instanceof Analysis.Delete delete) {
      written("delete", delete.table(), delete.predicate());
    } else if (analysis instanceof Analysis.Insert insert) {
      fact("effect", "insert, if the count says so: " + insert.conflict().words());
      fact("writes", "%s: %,d rows".formatted(insert.table().identityName(), insert.rows().size()));
    } else if (analysis instanceof Analysis.Written written) {
      fact("effect", written.kind().name().toLowerCase(Locale.ROOT));
      fact("writes", written.table().identityName() + ": each row that it answers with");
    }
  }

  private static boolean showsVersion(Analysis.Select select) {
    String version = select.table().version().name();
    return select.shape().items().stream()
        .anyMatch(item -> item.star() || version.equals(item.column()));
  }

  private void written(String effect, ObservedTable table, KeyPredicate predicate) {
    fact("effect", effect + ", if the count says so");
    fact("writes", rows(table, predicate));
    Operand version = predicate.version();
    if (version != null) {
      fact("reads", table.identityName() + ": the same row at the version that it demands");
    }
  }

  private String rows(ObservedTable table, @Nullable KeyPredicate predicate) {
    if (predicate == null) {
      return table.identityName()
          + ": each row that the application reads, if it shows key and version";
    }
    String keys = predicate.keys().stream().map(key -> key(table, key)).collect(joined());
    return table.identityName()
        + ": "
        + keys
        + (predicate.exact() ? "; no row means that there is none" : "");
  }

  private String key(ObservedTable table, List<Operand> values) {
    List<String> parts = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      parts.add(table.key().get(i).name() + " = " + value(values.get(i)));
    }
    return String.join(" and ", parts);
  }

  private String version(Operand operand) {
    return operand instanceof Operand.Unknowable ? "not known from the text" : value(operand);
  }

  private String value(Operand operand) {
    if (operand instanceof Operand.OfSlot of) {
      Slot slot = sql.slots().get(of.slot());
      return slot instanceof Slot.Parameter parameter
          ? "parameter " + parameter.index()
          : slot instanceof Slot.Literal literal && literal.value() == Operand.UNKNOWN
              ? "a text that may be a name"
              : "a value in the text";
    }
    return operand instanceof Operand.Cast cast
        ? value(cast.of())
        : operand instanceof Operand.Sum ? "the version before and a value" : "a constant";
  }

  private static String words(TransactionControl control) {
    String what = control.kind().name().toLowerCase(Locale.ROOT).replace('_', ' ');
    String level = control.isolation() == null ? "" : ", level " + control.isolation();
    return what + (control.name() == null ? "" : " " + control.name()) + level;
  }

  private static String declaration(ObservedTable table) {
    String key =
        table.key().stream().map(ObservedTable.Column::name).collect(Collectors.joining(", "));
    return table.identityName() + "(" + key + "; " + table.version().name() + ")";
  }

  private static Collector<CharSequence, ?, String> joined() {
    return Collectors.joining(", ");
  }

  private void fact(String subject, String words) {
    facts.add(new Diagnosis.Fact(subject, words));
  }

  private void problem(Uninterpreted reason) {
    problems.add(
        new Diagnosis.Problem(
            reason.name().toLowerCase(Locale.ROOT).replace('_', '-'),
            reason.words(),
            reason.advice()));
  }
}
