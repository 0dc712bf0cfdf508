package io.isotail.ingest.jdbc;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The kinds of calls that stand-ins treat specially, by the name of the method. The overloads of a
 * name, and names that are treated alike, are one kind.
 */
enum Called {
  // of several stand-ins
  EQUALS("equals"),
  HASH_CODE("hashCode"),
  TO_STRING("toString"),
  UNWRAP("unwrap"),
  IS_WRAPPER_FOR("isWrapperFor"),
  CLOSE("close"),
  GET_META_DATA("getMetaData"),
  GET_CONNECTION("getConnection"),

  // of connections
  CREATE_STATEMENT("createStatement"),
  PREPARE_STATEMENT("prepareStatement"),
  PREPARE_CALL("prepareCall"),
  COMMIT("commit"),
  ROLLBACK("rollback"),
  SET_AUTO_COMMIT("setAutoCommit"),
  SET_SAVEPOINT("setSavepoint"),
  RELEASE_SAVEPOINT("releaseSavepoint"),
  SET_TRANSACTION_ISOLATION("setTransactionIsolation"),
  SET_SCHEMA("setSchema"),
  ABORT("abort"),
  GET_HELPER("getCopyAPI", "getFastpathAPI"),
  GET_QUERY_EXECUTOR("getQueryExecutor"),
  EXECUTE_SQL("execSQLQuery", "execSQLUpdate"),

  // of statements
  EXECUTE("execute"),
  EXECUTE_QUERY("executeQuery"),
  EXECUTE_UPDATE("executeUpdate"),
  EXECUTE_LARGE_UPDATE("executeLargeUpdate"),
  EXECUTE_WITH_FLAGS("executeWithFlags"),
  EXECUTE_BATCH("executeBatch", "executeLargeBatch"),
  ADD_BATCH("addBatch"),
  CLEAR_BATCH("clearBatch"),
  CANCEL("cancel"),
  GET_RESULT_SET("getResultSet"),
  GET_GENERATED_KEYS("getGeneratedKeys"),
  GET_WARNINGS("getWarnings"),
  CLEAR_WARNINGS("clearWarnings"),
  GET_UPDATE_COUNT("getUpdateCount", "getLargeUpdateCount"),
  GET_MORE_RESULTS("getMoreResults"),
  CLOSE_ON_COMPLETION("closeOnCompletion"),
  CLEAR_PARAMETERS("clearParameters"),
  SET_CURSOR_NAME("setCursorName"),
  SET_NULL("setNull"),
  SET_OBJECT("setObject"),
  /** The driver sends the value as it is. */
  SET_EXACT(
      "setByte",
      "setShort",
      "setInt",
      "setLong",
      "setBigDecimal",
      "setString",
      "setNString",
      "setBoolean",
      "setBytes"),

  // of result sets and their meta data
  NEXT("next"),
  MOVE_TO_ROW("previous", "first", "last", "absolute", "relative"),
  MOVE_OFF_ROWS("beforeFirst", "afterLast", "moveToCurrentRow", "moveToInsertRow"),
  WAS_NULL("wasNull"),
  GET_STATEMENT("getStatement"),
  WRITE_ROW("updateRow", "insertRow", "deleteRow"),
  GET_COLUMN_COUNT("getColumnCount"),

  // of pgjdbc's executor and copies
  START_COPY("startCopy"),
  CANCEL_COPY("cancelCopy"),
  CALL_FUNCTION("fastpathCall"),

  /** Anything else. */
  OTHER;

  private static final Map<String, Called> BY_NAME = new HashMap<>();

  static {
    Arrays.stream(values()).forEach(each -> each.names.forEach(name -> BY_NAME.put(name, each)));
  }

  @SuppressWarnings("ImmutableEnumChecker") // A list that cannot be changed.
  private final List<String> names;

  Called(String... names) {
    this.names = List.of(names);
  }

  /** What a call of a method of this name is taken for. */
  static Called of(String name) {
    return BY_NAME.getOrDefault(name, OTHER);
  }
}
