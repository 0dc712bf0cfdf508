package io.isotail.ingest.sql;

import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * MySQL and MariaDB: a backtick begins a name. A double quote begins a string, or a name where the
 * server's {@code sql_mode} has {@code ANSI_QUOTES}, which is not known.
 */
public final class MysqlSql extends CautiousSql {
  /** The dialect. */
  public static final MysqlSql DIALECT = new MysqlSql();

  /**
   * Native functions of MySQL 8 and of MariaDB 10.6 and later that write no row of a table. A
   * stored function of such a name can be called only with its schema before it, in backticks, or,
   * for some, with space before the parenthesis.
   */
  private static final Set<String> NATIVE_FUNCTIONS =
      Functions.words(
          """
          abs acos adddate addtime aes_decrypt aes_encrypt against ascii asin atan atan2 avg
          benchmark bin bit_and bit_count bit_length bit_or bit_xor ceil ceiling char char_length
          character_length charset coalesce coercibility collation compress concat concat_ws
          connection_id conv convert convert_tz cos cot count crc32 cume_dist curdate current_date
          current_role current_time current_timestamp current_user curtime database date date_add
          date_format date_sub datediff day dayname dayofmonth dayofweek dayofyear default degrees
          dense_rank elt exp export_set extract extractvalue field find_in_set first_value floor
          format found_rows from_base64 from_days from_unixtime get_format get_lock greatest
          group_concat hex hour if ifnull inet6_aton inet6_ntoa inet_aton inet_ntoa insert instr
          is_free_lock is_ipv4 is_ipv6 is_used_lock isnull json_array json_array_append
          json_array_insert json_arrayagg json_contains json_contains_path json_depth json_extract
          json_insert json_keys json_length json_merge json_merge_patch json_merge_preserve
          json_object json_objectagg json_quote json_remove json_replace json_search json_set
          json_table json_type json_unquote json_valid lag last_day last_insert_id last_value
          lcase lead least left length ln localtime localtimestamp locate log log10 log2 lower
          lpad ltrim make_set makedate maketime match max md5 microsecond mid min minute mod month
          monthname name_const nth_value ntile now nullif oct octet_length ord percent_rank
          period_add period_diff pi position pow power quarter quote radians rand rank
          regexp_instr regexp_replace regexp_substr release_all_locks release_lock repeat replace
          reverse right round row_count row_number rpad rtrim schema sec_to_time second
          session_user sha sha1 sha2 sign sin sleep soundex space sqrt std stddev stddev_pop
          stddev_samp str_to_date strcmp subdate substr substring substring_index subtime sum
          sysdate system_user tan time time_format time_to_sec timediff timestamp timestampadd
          timestampdiff to_base64 to_days to_seconds trim truncate ucase uncompress
          uncompressed_length unhex unix_timestamp updatexml upper user utc_date utc_time
          utc_timestamp uuid uuid_short values var_pop var_samp variance version week weekday
          weekofyear weight_string year yearweek
          """);

  /** ROW_COUNT(), FOUND_ROWS(), SHOW WARNINGS, GET DIAGNOSTICS, @@error_count and the like. */
  private static final Pattern OF_BEFORE =
      Pattern.compile(
          "\\b(?:row_count|found_rows)\\s*\\("
              + "|\\bshow\\s+(?:count\\s*\\(\\s*\\*\\s*\\)\\s*)?(?:warnings|errors)\\b"
              + "|\\bget\\s+(?:current\\s+)?diagnostics\\b"
              + "|@@(?:session\\s*\\.|local\\s*\\.)?\\s*(?:warning|error)_count\\b",
          Pattern.CASE_INSENSITIVE);

  private MysqlSql() {}

  @Override
  public boolean asksOfBefore(String text) {
    return OF_BEFORE.matcher(text).find();
  }

  @Override
  SqlLexer lexer(String sql, Placeholders placeholders) {
    return new CautiousLexer(sql, placeholders, true);
  }

  @Override
  boolean hasXa() {
    return true;
  }

  @Override
  public boolean showsTexts() {
    return true;
  }

  @Override
  Set<String> harmlessFunctions() {
    return NATIVE_FUNCTIONS;
  }

  @Override
  boolean maySayBuiltIn(Token name, Token parenthesis) {
    return name.kind() == Token.Kind.WORD && name.end() == parenthesis.start();
  }

  @Override
  boolean setsLevelUnnamed(LexedSql sql) {
    return sql.wordAt(1, "statement");
  }

  @Override
  @Nullable TransactionControl set(LexedSql sql, @Nullable String level) {
    return new CautiousSettings(sql).mysql(level);
  }
}
