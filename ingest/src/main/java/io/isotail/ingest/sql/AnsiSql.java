package io.isotail.ingest.sql;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Any database without a dialect of its own: only what all databases read alike is understood. */
public final class AnsiSql extends CautiousSql {
  /** The dialect. */
  public static final AnsiSql DIALECT = new AnsiSql();

  /** Of SQL's own, which databases look up before those of users. */
  private static final Set<String> HARMLESS_FUNCTIONS =
      Functions.words(
          """
          abs avg cardinality ceil ceiling char_length character_length coalesce concat count
          cume_dist current_date current_time current_timestamp dense_rank every exp first_value
          floor greatest lag last_value lead least length ln localtime localtimestamp lower max
          min mod nth_value ntile nullif octet_length percent_rank power rank round row_number
          sign sqrt stddev_pop stddev_samp sum trim upper var_pop var_samp width_bucket
          """);

  private AnsiSql() {}

  @Override
  SqlLexer lexer(String sql, Placeholders placeholders) {
    return new CautiousLexer(sql, placeholders, false);
  }

  @Override
  public boolean showsTexts() {
    return false;
  }

  @Override
  Set<String> harmlessFunctions() {
    return HARMLESS_FUNCTIONS;
  }

  @Override
  boolean setsLevelUnnamed(LexedSql sql) {
    return switch (sql.firstWord()) {
      case "set" -> sql.tokens().size() < 2 || !NO_LEVEL.contains(sql.tokens().get(1).text());
      case "alter" -> sql.wordAt(1, "session");
      default -> true;
    };
  }

  @Override
  @Nullable TransactionControl set(LexedSql sql, @Nullable String level) {
    return new CautiousSettings(sql).any(level);
  }
}
