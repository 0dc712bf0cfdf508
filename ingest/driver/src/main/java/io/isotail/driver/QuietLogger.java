package io.isotail.driver;

import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.spi.LocationAwareLogger;

/** A logger whose INFO is another one's DEBUG. */
final class QuietLogger extends LegacyAbstractLogger {
  private static final long serialVersionUID = 1;

  private final transient LocationAwareLogger chatty;

  QuietLogger(LocationAwareLogger chatty) {
    this.chatty = chatty;
    this.name = chatty.getName();
  }

  @Override
  public boolean isTraceEnabled() {
    return chatty.isTraceEnabled();
  }

  @Override
  public boolean isDebugEnabled() {
    return chatty.isDebugEnabled();
  }

  @Override
  public boolean isInfoEnabled() {
    return chatty.isDebugEnabled();
  }

  @Override
  public boolean isWarnEnabled() {
    return chatty.isWarnEnabled();
  }

  @Override
  public boolean isErrorEnabled() {
    return chatty.isErrorEnabled();
  }

  @Override
  protected String getFullyQualifiedCallerName() {
    return QuietLogger.class.getName();
  }

  @Override
  protected void handleNormalizedLoggingCall(
      Level level,
      @Nullable Marker marker,
      String message,
      Object @Nullable [] arguments,
      @Nullable Throwable failure) {
    Level lower = level == Level.INFO ? Level.DEBUG : level;
    chatty.log(marker, getFullyQualifiedCallerName(), lower.toInt(), message, arguments, failure);
  }
}
