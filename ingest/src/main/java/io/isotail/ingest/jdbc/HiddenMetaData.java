package io.isotail.ingest.jdbc;

import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Stands in for the meta data of a result whose last columns the application does not see. */
final class HiddenMetaData extends ProxyHandler {
  private final int visible;

  private HiddenMetaData(ResultSetMetaData real, int visible, RealClasses classes) {
    super(real, ResultSetMetaData.class, classes);
    this.visible = visible;
  }

  /** Meta data without their last columns; as they are if the driver does not tell how many. */
  static Object hiding(ResultSetMetaData real, int hidden, RealClasses classes) {
    try {
      return new HiddenMetaData(real, real.getColumnCount() - hidden, classes).proxy();
    } catch (SQLException e) {
      return real;
    }
  }

  @Override
  @Nullable Object call(RealMethod method, Object[] arguments) throws Throwable {
    if (method.called() == Called.GET_COLUMN_COUNT) {
      return visible;
    }
    if (arguments.length == 1 && arguments[0] instanceof Integer column && column > visible) {
      throw DriverErrors.outOfRange(real(), column, visible);
    }
    return delegate(method, arguments);
  }
}
