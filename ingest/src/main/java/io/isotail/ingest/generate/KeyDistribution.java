package io.isotail.ingest.generate;

import java.util.Locale;

/** Which keys are drawn how often, in constant time a key. */
interface KeyDistribution {

  /** A key from 0 to the number of keys - 1. */
  int next(Prng random);

  /**
   * A distribution by name and parameter.
   *
   * @param shape which family
   * @param parameter {@code zipfian}: the exponent theta; {@code hotspot}: the share of keys that
   *     is hot and gets the rest of the share of the operations (0.2: 20 % of the keys get 80 %);
   *     {@code exponential}: the share of keys that gets 95 % of the operations; {@code uniform}:
   *     not used
   */
  record Spec(Shape shape, double parameter) {

    /** Families of distributions. */
    enum Shape {
      UNIFORM(0),
      ZIPFIAN(0.99),
      HOTSPOT(0.2),
      EXPONENTIAL(0.1);

      final double usual;

      Shape(double usual) {
        this.usual = usual;
      }

      String label() {
        return name().toLowerCase(Locale.ROOT);
      }
    }

    /** Checks the parameter. */
    public Spec {
      if (shape != Shape.UNIFORM && !(parameter > 0 && parameter < 1)) {
        throw new IllegalArgumentException(
            "distribution %s:%s; expected a parameter between 0 and 1, without them"
                .formatted(shape.label(), parameter));
      }
    }

    /**
     * Reads {@code NAME} or {@code NAME:PARAMETER}.
     *
     * @throws IllegalArgumentException saying what was expected
     */
    static Spec parse(String text) {
      String[] parts = text.split(":", 2);
      for (Shape shape : Shape.values()) {
        if (!shape.label().equals(parts[0])) {
          continue;
        }
        if (parts.length == 1) {
          return new Spec(shape, shape.usual);
        }
        try {
          if (shape != Shape.UNIFORM) {
            return new Spec(shape, Double.parseDouble(parts[1]));
          }
        } catch (NumberFormatException e) {
          throw new IllegalArgumentException(
              "distribution '%s'; expected a number after the colon".formatted(text), e);
        }
      }
      throw new IllegalArgumentException(
          "distribution '%s'; expected uniform, zipfian[:THETA], hotspot[:SHARE] or exponential[:SHARE]"
              .formatted(text));
    }

    KeyDistribution over(int keys) {
      return switch (shape) {
        case UNIFORM -> random -> random.nextInt(keys);
        case ZIPFIAN -> new Zipfian(keys, parameter);
        case HOTSPOT -> hotspot(keys, parameter);
        case EXPONENTIAL -> exponential(keys, parameter);
      };
    }

    private static KeyDistribution hotspot(int keys, double share) {
      int hot = Math.max(1, (int) (keys * share));
      return random ->
          hot == keys || random.chance(1 - share)
              ? random.nextInt(hot)
              : hot + random.nextInt(keys - hot);
    }

    /** Density falls by e each 1 / rate keys; what falls beyond the last key is drawn again. */
    private static KeyDistribution exponential(int keys, double share) {
      double rate = -Math.log(0.05) / (keys * share);
      double cut = 1 - Math.exp(-rate * keys);
      return random -> Math.min(keys - 1, (int) (-Math.log1p(-random.nextDouble() * cut) / rate));
    }
  }
}
