package io.isotail.ingest.sql;

import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Tells from the tokens of a statement whether it calls a function that could write a table, or
 * change a setting.
 *
 * <p>PostgreSQL does not say which functions write. Those that come with it do not, but for the few
 * that run what they are given; its catalog tells their names. Until it has been asked, only some
 * are trusted, and those that the operator names.
 */
final class Functions {

  /** Words that may stand before a parenthesis without calling anything. */
  private static final Set<String> KEYWORDS =
      words(
          """
          all and any array as between bigint bit boolean by bytea case cast char character check
          cluster collate conflict constraint copy cube decimal default distinct do double else end
          except exists explain extract fetch filter float for foreign from full group grouping
          having ilike in include index inner insert int integer intersect interval is join key lateral
          left like limit locked not null numeric offset on only or order ordinality over overlaps
          overlay partition position primary range real references returning right rollup row rows
          select set sets similar smallint some substring table tablesample then time timestamp
          timestamptz trim union unique using values varying verbose view when where window with
          within zone materialized nulls
          """);

  /** Words after which a name followed by a parenthesis is a table or an alias. */
  private static final Set<String> NAMES_FOLLOW =
      words("into copy table as with recursive references tablesample");

  /**
   * Functions of {@code pg_catalog}, and others with their schema. Drivers ask for keys and indexes
   * by that of {@code information_schema}.
   */
  static final Set<String> OF_POSTGRESQL =
      words(
          """
          abs age any_value array_agg array_append array_cat array_dims array_fill array_length
          array_lower array_ndims array_position array_positions array_prepend array_remove
          array_replace array_to_json array_to_string array_upper ascii avg bit_and bit_length
          bit_or bool_and bool_or btrim cardinality cbrt ceil ceiling char_length character_length
          chr clock_timestamp coalesce concat concat_ws convert_from convert_to corr count
          cume_dist current_database current_date current_schema current_schemas current_setting
          current_time current_timestamp current_user currval date date_bin date_part date_trunc
          decode degrees dense_rank div encode every exp factorial first_value floor format
          format_type gcd gen_random_uuid generate_series generate_subscripts get_byte greatest
          has_table_privilege initcap isfinite json_agg json_array_elements
          json_array_elements_text json_array_length json_build_array json_build_object json_each
          json_each_text json_extract_path json_extract_path_text json_object json_object_agg
          json_object_keys json_populate_record json_to_record json_to_recordset json_typeof
          jsonb_agg jsonb_array_elements jsonb_array_elements_text jsonb_array_length
          jsonb_build_array jsonb_build_object jsonb_each jsonb_each_text jsonb_exists
          jsonb_extract_path jsonb_extract_path_text jsonb_insert jsonb_object jsonb_object_agg
          jsonb_object_keys jsonb_path_exists jsonb_path_query jsonb_pretty jsonb_set
          jsonb_strip_nulls jsonb_to_record jsonb_to_recordset jsonb_typeof justify_days
          justify_hours justify_interval lag last_value lastval lcm lead least length ln
          localtime localtimestamp log lower lpad ltrim make_date make_interval make_time
          make_timestamp make_timestamptz max md5 merge_action min mod mode nextval now nth_value ntile nullif
          num_nonnulls num_nulls obj_description octet_length percent_rank percentile_cont
          percentile_disc pg_advisory_lock pg_advisory_unlock pg_advisory_unlock_all
          pg_advisory_xact_lock pg_backend_pid pg_blocking_pids pg_cancel_backend pg_column_size
          pg_current_xact_id pg_database_size pg_encoding_to_char pg_export_snapshot pg_get_constraintdef
          pg_get_expr pg_get_indexdef pg_get_keywords pg_get_serial_sequence pg_get_userbyid
          pg_get_viewdef pg_is_in_recovery pg_relation_size pg_size_pretty pg_sleep
          pg_table_is_visible pg_table_size pg_terminate_backend pg_total_relation_size
          pg_try_advisory_lock pg_try_advisory_xact_lock pg_typeof pi power quote_ident
          quote_literal quote_nullable radians random rank regexp_match regexp_matches
          regexp_replace regexp_split_to_array regexp_split_to_table repeat replace reverse round
          row_number row_to_json rpad rtrim session_user set_bit sha224 sha256 sha384 sha512 sign
          split_part sqrt starts_with statement_timestamp stddev stddev_pop stddev_samp
          string_agg string_to_array strpos substr sum timeofday to_char to_date to_hex to_json
          to_jsonb to_number to_regclass to_timestamp to_tsquery to_tsvector transaction_timestamp
          translate trunc ts_headline ts_rank txid_current unnest upper user uuid_generate_v4
          uuidv4 uuidv7 var_pop var_samp variance version width_bucket xml_is_well_formed
          text varchar uuid int2 int4 int8 float4 float8 bool regclass
          information_schema._pg_expandarray
          """);

  /** Those of {@link #OF_POSTGRESQL} that make one value of many rows. */
  private static final Set<String> AGGREGATES =
      words(
          """
          any_value array_agg avg bit_and bit_or bool_and bool_or corr count every json_agg
          json_object_agg jsonb_agg jsonb_object_agg max min percentile_cont percentile_disc
          stddev stddev_pop stddev_samp string_agg sum var_pop var_samp variance mode rank
          dense_rank cume_dist percent_rank jsonb_object json_object
          """);

  /** Those of {@link #AGGREGATES} that are nothing else, whatever follows their arguments. */
  private static final Set<String> ONLY_AGGREGATES =
      words(
          """
          array_agg avg bit_and bit_or bool_and bool_or corr count every json_agg json_object_agg
          jsonb_agg jsonb_object_agg max min percentile_cont percentile_disc stddev stddev_pop
          stddev_samp string_agg sum var_pop var_samp variance
          """);

  /** Those of {@link #OF_POSTGRESQL} that make many rows of one. */
  private static final Set<String> SETS =
      words(
          """
          generate_series generate_subscripts json_array_elements json_array_elements_text
          json_each json_each_text json_object_keys json_to_record json_to_recordset
          json_populate_record jsonb_array_elements jsonb_array_elements_text jsonb_each
          jsonb_each_text jsonb_object_keys jsonb_path_query jsonb_to_record jsonb_to_recordset
          pg_get_keywords regexp_matches regexp_split_to_table unnest
          information_schema._pg_expandarray
          """);

  /**
   * Those that come with PostgreSQL, or an extension of it, and run statements, or call functions,
   * that their arguments name; that change settings, or ask the server to read them again; or that
   * write tables of its own as no statement does.
   */
  private static final Set<String> REACHING =
      words(
          """
          cursor_to_xml cursor_to_xmlschema database_to_xml database_to_xml_and_xmlschema
          database_to_xmlschema query_to_xml query_to_xml_and_xmlschema query_to_xmlschema
          schema_to_xml schema_to_xml_and_xmlschema schema_to_xmlschema table_to_xml
          table_to_xml_and_xmlschema table_to_xmlschema ts_rewrite ts_stat
          json_populate_recordset lowrite jsonb_populate_record jsonb_populate_recordset
          jsonb_populate_record_valid pg_input_error_info pg_input_is_valid
          pg_import_system_collations pg_nextoid pg_promote pg_reload_conf
          pg_stop_making_pinned_objects set_config populate_record standardize_address
          """);

  /** How the names of others begin. */
  private static final List<String> REACHING_KINDS =
      List.of(
          "binary_upgrade_",
          "_pgr_",
          "_st_mapalgebra",
          "lo_",
          "pg_clear_",
          "pg_logical_slot_",
          "pg_replication_",
          "pg_restore_",
          "pgr_",
          "st_mapalgebra");

  private final BuiltInFunctions told;
  private final SqlDialect dialect;
  private final Set<String> listed;

  /**
   * Functions of a database.
   *
   * @param told what its catalog tells
   * @param dialect of its statements, which has those that are trusted whatever it tells
   */
  Functions(BuiltInFunctions told, SqlDialect dialect) {
    this.told = told;
    this.dialect = dialect;
    this.listed = dialect.harmlessFunctions();
  }

  /** The dialect of its statements. */
  SqlDialect dialect() {
    return dialect;
  }

  /** Whether all functions of a name write no table, as the catalog tells. */
  private boolean isHarmless(String name) {
    return told.contains(name) && !reaches(name);
  }

  /** Whether it is one of those that are listed, and can be no other one. */
  private boolean isListed(String name) {
    return listed.contains(name) && !told.shared().contains(name);
  }

  private static boolean reaches(String name) {
    return REACHING.contains(name) || REACHING_KINDS.stream().anyMatch(name::startsWith);
  }

  /** Whether the parenthesis at a token may hold the arguments of an aggregate. */
  boolean mayAggregate(LexedSql sql, int parenthesis) {
    if (parenthesis == 0 || !sql.tokens().get(parenthesis - 1).isName()) {
      return false;
    }
    Token name = sql.tokens().get(parenthesis - 1);
    boolean qualified = sql.symbolAt(parenthesis - 2, ".");
    if (!qualified && name.kind() == Token.Kind.WORD && KEYWORDS.contains(name.text())) {
      return false;
    }
    boolean value = isListed(name.text()) || told.values().contains(name.text());
    return AGGREGATES.contains(name.text()) || !value;
  }

  /**
   * Whether the parenthesis at a token certainly holds the arguments of an aggregate, if no window
   * follows.
   */
  boolean aggregates(LexedSql sql, int parenthesis) {
    if (!mayAggregate(sql, parenthesis)) {
      return false;
    }
    boolean builtIn =
        !sql.symbolAt(parenthesis - 2, ".")
            || (sql.wordAt(parenthesis - 3, "pg_catalog") && !sql.symbolAt(parenthesis - 4, "."));
    return builtIn && ONLY_AGGREGATES.contains(sql.tokens().get(parenthesis - 1).text());
  }

  /** The words of a text, which white space separates. */
  static Set<String> words(String text) {
    return Set.of(text.strip().split("\\s+"));
  }

  /**
   * Whether some call is neither to a harmless built-in function nor to one in {@code
   * alsoHarmless}.
   */
  boolean callsUnknown(LexedSql sql, Set<String> alsoHarmless) {
    return callsOther(sql, this::isListed, this::isHarmless, alsoHarmless);
  }

  /** Whether some call is to a function of which it is not known that it makes one value. */
  boolean mayMakeRows(LexedSql sql) {
    return callsOther(
        sql, name -> isListed(name) && !SETS.contains(name), told.values()::contains, Set.of());
  }

  /**
   * Whether some call is to none of these.
   *
   * @param listed functions of {@code pg_catalog}, or others with their schema
   * @param everywhere names of functions, in whatever schema
   */
  private boolean callsOther(
      LexedSql sql, Predicate<String> listed, Predicate<String> everywhere, Set<String> others) {
    List<Token> tokens = sql.tokens();
    for (int i = 0; i + 1 < tokens.size(); i++) {
      Token name = tokens.get(i);
      if (!name.isName() || !tokens.get(i + 1).isSymbol("(")) {
        continue;
      }
      boolean qualified = sql.symbolAt(i - 1, ".");
      if (!qualified && name.kind() == Token.Kind.WORD && KEYWORDS.contains(name.text())) {
        continue;
      }
      if (!qualified && name.isWord("operator")) {
        return true; // OPERATOR(schema.sign) stands for any operator, and is no alias.
      }
      int start = i;
      while (sql.symbolAt(start - 1, ".") && start >= 2) {
        start -= 2;
      }
      if (start > 0
          && tokens.get(start - 1).kind() == Token.Kind.WORD
          && (NAMES_FOLLOW.contains(tokens.get(start - 1).text())
              || isIfNotExists(sql, start - 1))) {
        continue;
      }
      if (!qualified && (namesColumns(sql, i) || namesCommonTable(sql, i))) {
        continue;
      }
      String schema = qualified ? tokens.get(start).text() : "pg_catalog";
      boolean known =
          dialect.maySayBuiltIn(name, tokens.get(i + 1))
              && (everywhere.test(name.text())
                  || listed.test(
                      schema.equals("pg_catalog") ? name.text() : schema + "." + name.text()));
      if (!known && !FunctionNames.contain(others, qualified ? schema : null, name.text())) {
        return true;
      }
    }
    return false;
  }

  /** Whether a name of what is created follows: {@code CREATE TABLE IF NOT EXISTS t (…)}. */
  private static boolean isIfNotExists(LexedSql sql, int exists) {
    return sql.wordAt(exists, "exists")
        && sql.wordAt(exists - 1, "not")
        && sql.wordAt(exists - 2, "if");
  }

  /**
   * Whether a name is the alias of a subquery, or of the rows of a function, and names its columns:
   * {@code (SELECT …) s(a, b)}, {@code generate_series(1, 3) s(a)}.
   */
  private static boolean namesColumns(LexedSql sql, int name) {
    int depth = 0;
    for (int i = sql.wordAt(name - 1, "as") ? name - 2 : name - 1; i >= 0; i--) {
      depth += sql.symbolAt(i, ")") ? 1 : sql.symbolAt(i, "(") ? -1 : 0;
      if (depth == 0) {
        return sql.symbolAt(i, "(") && (beginsQuery(sql, i + 1) || calls(sql, i - 1));
      }
    }
    return false;
  }

  /** Whether the token before a parenthesis is the name of what is called. */
  private static boolean calls(LexedSql sql, int name) {
    if (name < 0 || !sql.tokens().get(name).isName()) {
      return false;
    }
    Token called = sql.tokens().get(name);
    boolean keyword = called.kind() == Token.Kind.WORD && KEYWORDS.contains(called.text());
    return !keyword || sql.symbolAt(name - 1, ".");
  }

  /** Whether a name is that of a common table expression: {@code s(a, b) AS (SELECT …)}. */
  private static boolean namesCommonTable(LexedSql sql, int name) {
    int i = sql.closing(name + 1) + 1;
    if (!sql.wordAt(i++, "as")) {
      return false;
    }
    i += sql.wordAt(i, "not") ? 1 : 0;
    i += sql.wordAt(i, "materialized") ? 1 : 0;
    return sql.symbolAt(i, "(") && beginsQuery(sql, i + 1);
  }

  private static boolean beginsQuery(LexedSql sql, int i) {
    return sql.wordAt(i, "select")
        || sql.wordAt(i, "with")
        || sql.wordAt(i, "values")
        || sql.wordAt(i, "insert")
        || sql.wordAt(i, "update")
        || sql.wordAt(i, "delete");
  }
}
