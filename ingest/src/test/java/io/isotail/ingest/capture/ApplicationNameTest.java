package io.isotail.ingest.capture;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.record.Origin;
import io.isotail.ingest.sql.ObservedTables;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ApplicationNameTest {
  private static CaptureConfig config(String... settings) {
    Map<CaptureSetting, String> values = new HashMap<>();
    for (int i = 0; i < settings.length; i += 2) {
      values.put(CaptureSetting.valueOf(settings[i]), settings[i + 1]);
    }
    return CaptureSetting.config(values::get, Map.of());
  }

  private static String version(CaptureConfig config, String told, Origin comment) {
    Origin origin = new ApplicationName(told, config).with(comment);
    return origin == null ? null : origin.version();
  }

  @Test
  void aConnectionTellsNameAndVersion() {
    CaptureConfig config = CaptureConfig.of("h", new ObservedTables(List.of()));
    assertThat(new ApplicationName("shop/1.42", config).with(null))
        .isEqualTo(new Origin("shop", null, null, "shop 1.42"));
    assertThat(new ApplicationName("shop", config).with(null))
        .isEqualTo(new Origin("shop", null, null));
    assertThat(new ApplicationName(null, config).with(null)).isNull();
  }

  @Test
  void theSettingHasTheNameOfTheService() {
    CaptureConfig named = config("SERVICE", "checkout", "VERSION", "1.43");
    assertThat(version(named, "PostgreSQL JDBC Driver", null)).isEqualTo("checkout 1.43");
    assertThat(version(named, "shop/1.42", null)).isEqualTo("checkout 1.43");
    assertThat(version(config("VERSION", "1.43"), "shop", null)).isEqualTo("shop 1.43");
    assertThat(version(config("VERSION", " "), "shop", null)).isNull();
  }

  @Test
  void aCommentIsBelievedFirst() {
    Origin comment = new Origin("shop", "/buy", null, "1.44");
    CaptureConfig named = config("SERVICE", "checkout", "VERSION", "1.43");
    assertThat(version(named, "shop/1.42", comment)).isEqualTo("shop 1.44");
    assertThat(version(named, null, new Origin(null, "/buy", null, "1.44")))
        .isEqualTo("checkout 1.44");
    ApplicationName again = new ApplicationName(null, named);
    assertThat(again.with(again.with(comment))).isEqualTo(again.with(comment));
  }

  /** A pool that several applications share has the name of one of them. */
  @Test
  void theVersionOfAnotherApplicationIsNotItsOwn() {
    CaptureConfig config = config();
    Origin billing = new Origin("billing", "/pay", null);
    assertThat(version(config, "shop/1.42", billing)).isNull();
    assertThat(version(config, "shop/1.42", new Origin("shop", "/buy", null)))
        .isEqualTo("shop 1.42");
    assertThat(version(config, "shop/1.42", new Origin(null, "/buy", null))).isEqualTo("shop 1.42");
  }
}
