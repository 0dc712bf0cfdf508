package io.isotail.ingest.sql;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.isotail.ingest.sql.Rewriting.Addition;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.sf.jsqlparser.statement.Statement;
import org.jspecify.annotations.Nullable;

/**
 * Tells what statements do to the observed tables. Thread-safe; never throws for any text.
 *
 * <p>Analyses are cached by text, and by normalized text, so that statements that differ only in
 * their literals are parsed once. Both caches are bounded by the characters that they hold.
 */
public final class StatementAnalyzer {
  private static final long CACHE_CHARS = 4_000_000;
  private static final int MAX_CACHED_TEXT_CHARS = 16_384;
  private static final int ENTRY_CHARS = 200;

  private static final Set<String> PARSED =
      Set.of("select", "values", "table", "insert", "update", "delete", "merge", "with");

  /**
   * What statements of one normalized text do, as they are and with what can be added.
   *
   * @param traits null where they may differ with the values in the text
   */
  private record Template(
      Analysis analysis, @Nullable Addition addition, @Nullable Set<StatementTrait> traits) {
    static Template of(Analysis analysis) {
      return new Template(analysis, null, null);
    }
  }

  private final ObservedTables tables;
  private final Set<String> harmlessFunctions;
  private final Functions functions;
  private final SqlDialect dialect;
  private final Fingerprints fingerprints;
  private final Map<Placeholders, Cache<String, AnalyzedSql>> analyses;
  private final Cache<String, Template> templates;
  private final Doorkeeper doorkeeper = new Doorkeeper();

  /** An analyzer for a database whose catalog has not been asked for its functions. */
  public StatementAnalyzer(
      ObservedTables tables,
      Set<String> harmlessFunctions,
      SqlDialect dialect,
      Identities identities) {
    this(tables, harmlessFunctions, BuiltInFunctions.NOT_TOLD, dialect, identities);
  }

  /**
   * An analyzer.
   *
   * @param tables the observed tables
   * @param harmlessFunctions functions, beside harmless built-in ones, that write no observed table
   * @param builtIn functions that come with the database
   * @param dialect how the statements are written
   * @param identities of the history, under whose key a text is hashed
   */
  public StatementAnalyzer(
      ObservedTables tables,
      Set<String> harmlessFunctions,
      BuiltInFunctions builtIn,
      SqlDialect dialect,
      Identities identities) {
    this.tables = tables;
    this.harmlessFunctions = Set.copyOf(harmlessFunctions);
    this.functions = new Functions(builtIn, dialect);
    this.dialect = dialect;
    this.fingerprints = new Fingerprints(dialect, identities);
    this.analyses = new EnumMap<>(Placeholders.class);
    for (Placeholders each : Placeholders.values()) {
      analyses.put(each, cache());
    }
    this.templates = cache();
  }

  private static <V> Cache<String, V> cache() {
    return Caffeine.newBuilder()
        .maximumWeight(CACHE_CHARS)
        .weigher((String text, V value) -> text.length() + ENTRY_CHARS)
        .executor(Runnable::run)
        .build();
  }

  /** Analyses the text of a statement. */
  public AnalyzedSql of(String sql, Placeholders placeholders) {
    AnalyzedSql known = soon(sql, placeholders);
    if (known == null) {
      known = analyze(sql, placeholders);
      Cache<String, AnalyzedSql> cache = cacheFor(sql, placeholders);
      if (cache != null) {
        cache.put(sql, known);
      }
    }
    return known;
  }

  /**
   * Analyses the text of a statement unless that may take long, as that of a long text does, and of
   * a new kind of statement, which must be parsed. {@link #of} does it then.
   *
   * @return null if it may take long
   */
  public @Nullable AnalyzedSql soon(String sql, Placeholders placeholders) {
    Cache<String, AnalyzedSql> cache = cacheFor(sql, placeholders);
    if (cache == null) {
      return null;
    }
    AnalyzedSql known = cache.getIfPresent(sql);
    if (known == null) {
      LexedSql lexed = SqlLexer.lex(sql, placeholders, dialect);
      Template template = withoutParser(lexed);
      if (template != null) {
        known = analyzed(sql, lexed, template);
        if (doorkeeper.lets(sql)) {
          cache.put(sql, known);
        }
      }
    }
    return known;
  }

  /** Where the analysis of a text is kept; null for nowhere, since it is too long. */
  private @Nullable Cache<String, AnalyzedSql> cacheFor(String sql, Placeholders placeholders) {
    return sql.length() > MAX_CACHED_TEXT_CHARS ? null : analyses.get(placeholders);
  }

  private AnalyzedSql analyze(String sql, Placeholders placeholders) {
    LexedSql lexed = SqlLexer.lex(sql, placeholders, dialect);
    return analyzed(sql, lexed, template(lexed));
  }

  private Template template(LexedSql lexed) {
    Template known = withoutParser(lexed);
    return known == null ? parse(lexed) : known;
  }

  /** What a statement does, if that can be told without the parser; else null. */
  private @Nullable Template withoutParser(LexedSql lexed) {
    try {
      return analyze(lexed);
    } catch (RuntimeException | StackOverflowError e) {
      return failed();
    }
  }

  private Template parse(LexedSql lexed) {
    try {
      return parsed(lexed);
    } catch (RuntimeException | StackOverflowError e) {
      return failed();
    }
  }

  private Template failed() {
    return Template.of(opaque(tables.all(), Uninterpreted.PARSE_FAILED));
  }

  private AnalyzedSql analyzed(String sql, LexedSql lexed, Template template) {
    Analysis analysis = template.analysis();
    Set<StatementTrait> known = template.traits();
    return new AnalyzedSql(
        analysis,
        fingerprints.of(lexed),
        lexed.slots(),
        known == null ? StatementTraits.of(lexed, analysis, tables, functions, dialect) : known,
        HiddenColumns.in(sql, lexed, template.addition()));
  }

  private @Nullable Template analyze(LexedSql sql) {
    if (!sql.understood()) {
      return Template.of(
          opaque(
              tables.all(),
              sql.tokens().size() <= 1 ? Uninterpreted.TOO_COMPLEX : Uninterpreted.PARSE_FAILED));
    }
    if (sql.severalStatements()) {
      return Template.of(several(sql));
    }
    TransactionControl control = TransactionControlReader.read(sql, dialect);
    if (control != null) {
      return Template.of(new Analysis.Control(control));
    }
    String first = sql.firstWord();
    if (PARSED.contains(first)) {
      return unparsed(sql);
    }
    return Template.of(
        dialect.isHarmless(sql) || sql.tokens().isEmpty()
            ? new Analysis.Harmless()
            : utility(sql, first));
  }

  private List<ObservedTable> mentioned(LexedSql sql) {
    return tables.mentioned(sql, dialect);
  }

  private Analysis opaque(List<ObservedTable> concerned, Uninterpreted reason) {
    return concerned.isEmpty() ? new Analysis.Harmless() : new Analysis.Opaque(concerned, reason);
  }

  /** What a statement of SQL's core does, if its kind was met before or is of no interest. */
  private @Nullable Template unparsed(LexedSql sql) {
    if (functions.callsUnknown(sql, harmlessFunctions)) {
      return Template.of(opaque(tables.all(), Uninterpreted.UNKNOWN_FUNCTION));
    }
    List<ObservedTable> mentioned = mentioned(sql);
    if (mentioned.isEmpty()) {
      return Template.of(elsewhere(sql));
    }
    Analysis unclear = dialect.unclear(sql, mentioned, tables, writes(sql));
    return unclear == null ? templates.getIfPresent(templateKey(sql)) : Template.of(unclear);
  }

  /** What cannot be parsed, as with a {@code ?} that is no parameter, is not what reads alike. */
  private static String templateKey(LexedSql sql) {
    return sql.problem() == null ? sql.normalized() : "\0" + sql.normalized();
  }

  private Template parsed(LexedSql sql) {
    List<ObservedTable> mentioned = mentioned(sql);
    Template parsed;
    try {
      ParsedStatements statements = new ParsedStatements(tables, mentioned, functions, dialect);
      Statement statement = BoundedParser.parse(sql);
      parsed =
          template(
              sql,
              sql.firstWord().equals("with")
                  ? with(sql, mentioned)
                  : toldByLog(sql, statements.analyze(statement)),
              new Additions(statements, sql, tables.readIn(sql)).of(statement));
    } catch (BoundedParser.NotParsed e) {
      parsed =
          template(
              sql,
              sql.firstWord().equals("with")
                  ? with(sql, mentioned)
                  : writes(sql)
                      ? toldByLog(sql, new Analysis.Opaque(mentioned, e.reason()))
                      : new Analysis.Unread(e.reason()),
              null);
    }
    templates.put(templateKey(sql), parsed);
    return parsed;
  }

  private Template template(LexedSql sql, Analysis analysis, @Nullable Addition addition) {
    return new Template(
        analysis,
        addition,
        StatementTraits.dependOnValues(sql)
            ? null
            : StatementTraits.of(sql, analysis, tables, functions, dialect));
  }

  /** What a write is of tables of which the log tells what it did. */
  private Analysis toldByLog(LexedSql sql, Analysis analysis) {
    List<ObservedTable> written =
        analysis instanceof Analysis.Opaque opaque
            ? opaque.tables()
            : analysis instanceof Analysis.OneTable one && one.mayWrite()
                ? List.of(one.table())
                : List.of();
    boolean told =
        dialect.writingWords().contains(sql.firstWord())
            && !written.isEmpty()
            && written.stream().allMatch(table -> table.content() != null);
    return told
        ? new Analysis.Opaque(
            written,
            Uninterpreted.TOLD_BY_LOG,
            analysis instanceof Analysis.OneTable one ? one : null)
        : analysis;
  }

  /** What a statement with common table expressions is, as it stands. */
  private Analysis with(LexedSql sql, List<ObservedTable> mentioned) {
    return writes(sql)
        ? write(mentioned, Uninterpreted.WRITING_CTE)
        : new Analysis.Unread(Uninterpreted.SUBQUERY);
  }

  /** What a statement is that names no observed table. */
  private Analysis elsewhere(LexedSql sql) {
    return tables.tellRows() && writes(sql) ? new Analysis.Elsewhere() : new Analysis.Harmless();
  }

  /** What a write is that may write these tables, and others. */
  private Analysis write(List<ObservedTable> concerned, Uninterpreted reason) {
    return concerned.isEmpty() && tables.tellRows()
        ? new Analysis.Elsewhere()
        : opaque(concerned, reason);
  }

  /** Whether a writing keyword occurs that is not part of FOR UPDATE. */
  private boolean writes(LexedSql sql) {
    for (int i = 0; i < sql.tokens().size(); i++) {
      Token token = sql.tokens().get(i);
      boolean locks =
          token.isWord("update") && (sql.wordAt(i - 1, "for") || sql.wordAt(i - 1, "key"));
      if (token.kind() == Token.Kind.WORD
          && dialect.writingWords().contains(token.text())
          && !locks
          && !(sql.symbolAt(i + 1, "(") && dialect.alsoFunctions().contains(token.text()))) {
        return true;
      }
    }
    return false;
  }

  private Analysis utility(LexedSql sql, String first) {
    List<ObservedTable> mentioned = mentioned(sql);
    boolean unknownFunction = functions.callsUnknown(sql, harmlessFunctions);
    Analysis read =
        unknownFunction
            ? opaque(tables.all(), Uninterpreted.UNKNOWN_FUNCTION)
            : mentioned.isEmpty()
                ? new Analysis.Harmless()
                : new Analysis.Unread(Uninterpreted.SUBQUERY);
    Analysis write =
        unknownFunction
            ? opaque(tables.all(), Uninterpreted.UNKNOWN_FUNCTION)
            : write(mentioned, Uninterpreted.UTILITY);
    Analysis mentions = opaque(mentioned, Uninterpreted.UTILITY);
    return switch (first) {
      case "explain" -> has(sql, "analyze") && writes(sql) ? write : read;
      case "declare" -> read;
      case "truncate" ->
          write(has(sql, "cascade") ? tables.all() : mentioned, Uninterpreted.UTILITY);
      case "copy" -> copyReads(sql) ? read : write(mentioned, Uninterpreted.UTILITY);
      case "create" ->
          has(sql, "table") && hasQueryAfterAs(sql)
              ? write
              : dialect.definesInTransactions() ? new Analysis.Harmless() : mentions;
      case "alter" -> mentions;
      case "drop" ->
          opaque(
              has(sql, "schema") || has(sql, "owned") || has(sql, "extension")
                  ? tables.all()
                  : mentioned,
              Uninterpreted.UTILITY);
      default -> opaque(tables.all(), Uninterpreted.UTILITY);
    };
  }

  private static boolean has(LexedSql sql, String word) {
    return sql.tokens().stream().anyMatch(token -> token.isWord(word));
  }

  /** Whether a query follows AS, which also stands before IDENTITY and the value of a column. */
  private static boolean hasQueryAfterAs(LexedSql sql) {
    for (int i = 0; i < sql.tokens().size(); i++) {
      if (sql.wordAt(i, "as")) {
        int query = i + 1;
        while (sql.symbolAt(query, "(")) {
          query++;
        }
        if (sql.wordAt(query, "execute")
            || (query < sql.tokens().size() && PARSED.contains(sql.tokens().get(query).text()))) {
          return true;
        }
      }
    }
    return false;
  }

  /** Whether COPY goes out of the database: TO, outside of any parenthesis. */
  private static boolean copyReads(LexedSql sql) {
    int depth = 0;
    for (Token token : sql.tokens()) {
      depth += token.isSymbol("(") ? 1 : token.isSymbol(")") ? -1 : 0;
      if (depth == 0 && token.isWord("from")) {
        return false;
      }
      if (depth == 0 && token.isWord("to")) {
        return true;
      }
    }
    return false;
  }

  private Analysis several(LexedSql sql) {
    List<Token> statement = new ArrayList<>();
    List<Token> tokens = new ArrayList<>(sql.tokens());
    tokens.add(new Token(Token.Kind.SYMBOL, ";"));
    for (Token token : tokens) {
      if (!token.isSymbol(";")) {
        statement.add(token);
        continue;
      }
      LexedSql one = new LexedSql(statement, "", List.of(), true, false, "part of a text");
      if (!(template(one).analysis() instanceof Analysis.Harmless)) {
        return new Analysis.Opaque(tables.all(), Uninterpreted.SEVERAL_STATEMENTS);
      }
      statement.clear();
    }
    return new Analysis.Harmless();
  }
}
