package io.isotail.ingest.sql;

import io.isotail.incremental.forecast.StatementFacts;
import io.isotail.incremental.forecast.StatementFacts.Lock;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Tells from a statement's text without literals how it meets others: what it locks, and which
 * columns it shows, assigns and compares. What it does not understand it takes for every column.
 *
 * <p>Columns go by their names alone, whatever their tables.
 */
public final class StatementFactsReader {
  private static final Set<String> AFTER_SET = Set.of("where", "returning", "from");
  private static final Set<String> AFTER_WHERE =
      Set.of("returning", "order", "limit", "group", "for", "offset", "fetch", "having", "union");
  private static final Set<String> QUERIES = Set.of("select", "with", "values", "table");
  private static final Set<String> WRITING = Set.of("insert", "update", "delete", "merge");
  private static final Set<String> HARMLESS =
      Set.of("set", "show", "reset", "begin", "start", "commit", "end", "savepoint", "release");
  private static final Set<String> COMPARING = Set.of("in", "is", "like", "between", "not");

  private final LexedSql sql;
  private final List<Token> tokens;

  private StatementFactsReader(LexedSql sql) {
    this.sql = sql;
    this.tokens = sql.tokens();
  }

  /** What a text tells. */
  public static StatementFacts read(String fingerprint) {
    LexedSql lexed = SqlLexer.lex(fingerprint, Placeholders.QUESTION_MARKS);
    return lexed.understood() && !lexed.severalStatements()
        ? new StatementFactsReader(lexed).read()
        : StatementFacts.NONE;
  }

  private StatementFacts read() {
    int where = topLevel("where", 0);
    Compared compared = where < 0 ? new Compared() : compared(where + 1);
    boolean update = sql.firstWord().equals("update");
    int set = update ? topLevel("set", 0) : -1;
    Set<String> sets = new HashSet<>();
    boolean relative = set >= 0 && assigned(set + 1, sets);
    return new StatementFacts(
        lock(),
        names(),
        showsAll(),
        sets,
        set < 0 || sets.isEmpty(),
        compared.values,
        compared.others,
        relative,
        QUERIES.contains(sql.firstWord()) ? scanned() : Set.of(),
        inserts(),
        isUnclear());
  }

  private boolean inserts() {
    boolean plain = true;
    for (int i = 0; i < tokens.size(); i++) {
      plain &= !(sql.wordAt(i, "conflict") || sql.wordAt(i, "duplicate"));
    }
    return plain && sql.firstWord().equals("insert");
  }

  /** Whether it is no plain query: those lock nothing, and only look. */
  private boolean isUnclear() {
    String first = sql.firstWord();
    boolean query = QUERIES.contains(first) && lock() == Lock.NONE && !writesInside();
    return !query && !HARMLESS.contains(first);
  }

  private boolean writesInside() {
    return tokens.stream()
        .anyMatch(token -> token.kind() == Token.Kind.WORD && WRITING.contains(token.text()));
  }

  /** The names behind FROM and JOIN, without their schemas. */
  private Set<String> scanned() {
    Set<String> tables = new HashSet<>();
    for (int i = 0; i < tokens.size(); i++) {
      boolean from = sql.wordAt(i, "from") && !sql.wordAt(i - 1, "distinct");
      if (from || sql.wordAt(i, "join")) {
        int at = addTable(i + 1, tables);
        while (from && sql.symbolAt(at, ",")) {
          at = addTable(at + 1, tables);
        }
      }
    }
    return tables;
  }

  /** Adds the table whose name begins at a token; returns the token behind it and its alias. */
  private int addTable(int from, Set<String> tables) {
    int at = sql.wordAt(from, "only") || sql.wordAt(from, "lateral") ? from + 1 : from;
    while (sql.symbolAt(at + 1, ".")) {
      at += 2;
    }
    if (at >= tokens.size() || !tokens.get(at).isName() || sql.symbolAt(at + 1, "(")) {
      return at;
    }
    tables.add(tokens.get(at).text());
    int behind = sql.wordAt(at + 1, "as") ? at + 2 : at + 1;
    boolean alias =
        behind < tokens.size() && tokens.get(behind).isName() && sql.symbolAt(behind + 1, ",");
    return alias ? behind + 1 : behind;
  }

  private int topLevel(String word, int from) {
    int depth = 0;
    for (int i = from; i < tokens.size(); i++) {
      depth += depthOf(tokens.get(i));
      if (depth == 0 && tokens.get(i).isWord(word)) {
        return i;
      }
    }
    return -1;
  }

  private static int depthOf(Token token) {
    return token.isSymbol("(") ? 1 : token.isSymbol(")") ? -1 : 0;
  }

  private Lock lock() {
    Lock lock = Lock.NONE;
    for (int i = 0; i + 1 < tokens.size(); i++) {
      if (sql.wordAt(i, "for")) {
        boolean share = sql.wordAt(i + 1, "share"); // KEY SHARE bars no change of other columns
        boolean update = sql.wordAt(i + 1, "update") || sql.wordAt(i + 3, "update");
        lock = update ? Lock.EXCLUSIVE : share && lock == Lock.NONE ? Lock.SHARED : lock;
      } else if (sql.wordAt(i, "in") && sql.wordAt(i + 1, "share")) {
        lock = Lock.SHARED; // MySQL: LOCK IN SHARE MODE
      }
    }
    return lock;
  }

  private Set<String> names() {
    Set<String> names = new HashSet<>();
    for (Token token : tokens) {
      if (token.isName()) {
        names.add(token.text());
      }
    }
    return names;
  }

  /** Whether a star stands for columns: not in a call, and not for a product. */
  private boolean showsAll() {
    for (int i = 1; i < tokens.size(); i++) {
      boolean ends =
          i + 1 == tokens.size() || sql.symbolAt(i + 1, ",") || sql.wordAt(i + 1, "from");
      boolean begins =
          sql.wordAt(i - 1, "select")
              || sql.symbolAt(i - 1, ".")
              || sql.symbolAt(i - 1, ",")
              || sql.wordAt(i - 1, "distinct")
              || sql.wordAt(i - 1, "all");
      if (sql.symbolAt(i, "*") && begins && ends) {
        return true;
      }
    }
    return false;
  }

  /** Collects what a SET list assigns; returns whether each value is computed from its column. */
  private boolean assigned(int from, Set<String> sets) {
    boolean relative = true;
    int at = from;
    while (at < tokens.size() && !isAny(at, AFTER_SET)) {
      int end = endOfItem(at);
      int equals = symbolBetween("=", at, end);
      if (equals < 0) {
        sets.clear();
        return false;
      }
      Set<String> targets = new HashSet<>();
      for (int i = at; i < equals; i++) {
        if (tokens.get(i).isName()) {
          targets.add(tokens.get(i).text());
        }
      }
      boolean computed = false;
      boolean fromElsewhere = false;
      for (int i = equals + 1; i < end; i++) {
        computed |= tokens.get(i).isName() && targets.contains(tokens.get(i).text());
        fromElsewhere |= sql.wordAt(i, "select");
      }
      computed &= !fromElsewhere;
      relative &= computed;
      sets.addAll(targets);
      at = end + 1;
      if (end < tokens.size() && !sql.symbolAt(end, ",")) {
        break;
      }
    }
    return relative && !sets.isEmpty();
  }

  private int endOfItem(int from) {
    int depth = 0;
    for (int i = from; i < tokens.size(); i++) {
      depth += depthOf(tokens.get(i));
      boolean compares = sql.wordAt(i, "from") && sql.wordAt(i - 1, "distinct");
      if (depth == 0 && !compares && (sql.symbolAt(i, ",") || isAny(i, AFTER_SET))) {
        return i;
      }
    }
    return tokens.size();
  }

  private int symbolBetween(String symbol, int from, int to) {
    for (int i = from; i < to; i++) {
      if (sql.symbolAt(i, symbol)) {
        return i;
      }
    }
    return -1;
  }

  private boolean isAny(int i, Set<String> words) {
    Token token = tokens.get(i);
    return token.kind() == Token.Kind.WORD && words.contains(token.text());
  }

  /** The columns of a condition. */
  private static final class Compared {
    /** Compared with one value, so that the condition holds only while they have it. */
    final Set<String> values = new HashSet<>();

    /** Compared otherwise. */
    final Set<String> others = new HashSet<>();
  }

  private Compared compared(int from) {
    return compared(tokens.subList(from, endOfCondition(from)));
  }

  private int endOfCondition(int from) {
    int depth = 0;
    for (int i = from; i < tokens.size(); i++) {
      depth += depthOf(tokens.get(i));
      if (depth == 0 && isAny(i, AFTER_WHERE)) {
        return i;
      }
    }
    return tokens.size();
  }

  /** A condition without parentheses around the whole of it. */
  private static List<Token> bare(List<Token> condition) {
    List<Token> bare = condition;
    while (bare.size() > 1 && bare.get(0).isSymbol("(") && closes(bare) == bare.size() - 1) {
      bare = bare.subList(1, bare.size() - 1);
    }
    return bare;
  }

  /** Where the parenthesis closes that a list begins with. */
  private static int closes(List<Token> tokens) {
    int depth = 0;
    for (int i = 0; i < tokens.size(); i++) {
      depth += depthOf(tokens.get(i));
      if (depth == 0) {
        return i;
      }
    }
    return -1;
  }

  private static Compared compared(List<Token> whole) {
    Compared compared = new Compared();
    List<Token> condition = bare(whole);
    List<Token> conjunct = new ArrayList<>();
    boolean alternatives = false;
    int depth = 0;
    for (int i = 0; i <= condition.size(); i++) {
      boolean ends = i == condition.size();
      if (ends || (depth == 0 && condition.get(i).isWord("and"))) {
        add(conjunct, compared);
        conjunct.clear();
      } else {
        depth += depthOf(condition.get(i));
        alternatives |= depth == 0 && condition.get(i).isWord("or");
        conjunct.add(condition.get(i));
      }
    }
    if (alternatives) {
      compared.others.addAll(compared.values);
      compared.values.clear();
    }
    return compared;
  }

  private static void add(List<Token> whole, Compared compared) {
    List<Token> conjunct = bare(whole);
    if (conjunct.size() < whole.size()) {
      Compared inside = compared(conjunct);
      compared.values.addAll(inside.values);
      compared.others.addAll(inside.others);
      return;
    }
    List<String> names = new ArrayList<>();
    int equals = -1;
    boolean other = false;
    for (int i = 0; i < conjunct.size(); i++) {
      Token token = conjunct.get(i);
      boolean qualifies = i + 1 < conjunct.size() && conjunct.get(i + 1).isSymbol(".");
      boolean type = i > 0 && conjunct.get(i - 1).isSymbol(":"); // of a value: ?::int
      if (token.isSymbol("=")) {
        other |= equals >= 0;
        equals = i;
      } else if (token.isName() && COMPARING.contains(token.text())) {
        other = true;
      } else if (token.isName() && !qualifies && !type && !isConstant(token)) {
        names.add(token.text());
      } else if (token.isSymbol("(") || token.isSymbol("<") || token.isSymbol(">")) {
        other = true;
      }
    }
    boolean bare = equals < 0 && conjunct.size() == 1 && names.size() == 1; // a boolean column
    if ((equals >= 0 || bare) && !other && names.size() == 1) {
      compared.values.addAll(names);
    } else {
      compared.others.addAll(names);
    }
  }

  private static boolean isConstant(Token token) {
    return token.isWord("true") || token.isWord("false") || token.isWord("null");
  }
}
