package io.isotail.ingest.jdbc;

import io.isotail.ingest.sql.CommentedSql;
import io.isotail.ingest.sql.Placeholders;
import io.isotail.ingest.sql.Rewriting;
import io.isotail.ingest.sql.SqlLexer;
import io.isotail.ingest.sql.Token;
import java.sql.SQLException;

/**
 * Errors of a rewritten statement with the place that they would name if it had been sent as it is.
 * PostgreSQL's driver keeps an error as the server's fields, and makes exceptions of such.
 */
final class ErrorPlace {
  private static final String DRIVER = "org.postgresql.util.";
  private static final char POSITION = 'P';

  /** The fields of an error but for the position, and the methods that give them. */
  private static final String[][] FIELDS = {
    {"S", "getSeverity"},
    {"C", "getSQLState"},
    {"M", "getMessage"},
    {"D", "getDetail"},
    {"H", "getHint"},
    {"W", "getWhere"},
    {"s", "getSchema"},
    {"t", "getTable"},
    {"c", "getColumn"},
    {"d", "getDatatype"},
    {"n", "getConstraint"},
    {"F", "getFile"},
    {"R", "getRoutine"},
    {"q", "getInternalQuery"},
  };

  private ErrorPlace() {}

  /**
   * The failure as the application would have seen it; the same one if it names no place.
   *
   * @param told the application's text
   * @param numbered whether the driver has put numbers in place of question marks
   */
  static Throwable without(Throwable failure, CommentedSql told, Rewriting sent, boolean numbered) {
    try {
      Class<?> type = failure.getClass();
      if (!(failure instanceof SQLException error)
          || !type.getName().equals(DRIVER + "PSQLException")) {
        return failure;
      }
      Object message = type.getMethod("getServerErrorMessage").invoke(error);
      int position = message == null ? 0 : number(message, "getPosition");
      if (message == null || position <= 0 || !isPlain(told.statement())) {
        return failure;
      }
      int place = placeTold(position - 1, told, sent, numbered);
      Object other =
          message.getClass().getConstructor(String.class).newInstance(fields(message, place + 1));
      // Where the driver is told to keep details to itself, its message is a shorter one.
      boolean detailed = String.valueOf(message).equals(error.getMessage());
      SQLException placed =
          (SQLException)
              type.getConstructor(message.getClass(), boolean.class).newInstance(other, detailed);
      placed.setStackTrace(error.getStackTrace());
      if (error.getCause() != null) {
        placed.initCause(error.getCause());
      }
      if (error.getNextException() != null) {
        placed.setNextException(error.getNextException());
      }
      for (Throwable suppressed : error.getSuppressed()) {
        placed.addSuppressed(suppressed);
      }
      return placed;
    } catch (ReflectiveOperationException | RuntimeException e) {
      return failure;
    }
  }

  /**
   * Whether a character of the server's is one here, and the driver changes question marks alone.
   */
  private static boolean isPlain(String text) {
    return text.codePointCount(0, text.length()) == text.length()
        && !text.contains("??")
        && text.indexOf('{') < 0;
  }

  private static String fields(Object message, int position) throws ReflectiveOperationException {
    StringBuilder fields = new StringBuilder();
    for (String[] field : FIELDS) {
      Object value = message.getClass().getMethod(field[1]).invoke(message);
      if (value != null) {
        fields.append(field[0]).append(value).append('\0');
      }
    }
    fields.append(POSITION).append(position).append('\0');
    append(fields, 'L', number(message, "getLine"));
    append(fields, 'p', number(message, "getInternalPosition"));
    return fields.toString();
  }

  private static void append(StringBuilder fields, char field, int number) {
    if (number != 0) {
      fields.append(field).append(number).append('\0');
    }
  }

  private static int number(Object message, String getter) throws ReflectiveOperationException {
    return (Integer) message.getClass().getMethod(getter).invoke(message);
  }

  /** Places count from 0. */
  private static int placeTold(int sentPlace, CommentedSql told, Rewriting sent, boolean numbered) {
    int before = told.before().length();
    if (sentPlace < before) {
      return sentPlace;
    }
    int place = sentPlace - before;
    if (!numbered) {
      return before + sent.placeWithout(place);
    }
    int inText = sent.placeWithout(place - shift(place, sent.text(), true));
    return before + inText + shift(inText, told.statement(), false);
  }

  /**
   * By how many characters a place is farther on where numbers stand in place of question marks.
   *
   * @param numbered whether it is the place in the text that has the numbers
   */
  private static int shift(int place, String text, boolean numbered) {
    int shift = 0;
    int number = 1;
    for (Token token : SqlLexer.lex(text, Placeholders.QUESTION_MARKS).tokens()) {
      if (isPlaceholder(token, text) && token.start() + (numbered ? shift : 0) < place) {
        shift += String.valueOf(number++).length();
      }
    }
    return shift;
  }

  private static boolean isPlaceholder(Token token, String text) {
    return token.end() == token.start() + 1 && text.charAt(token.start()) == '?';
  }
}
