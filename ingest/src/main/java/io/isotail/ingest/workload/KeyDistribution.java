package io.isotail.ingest.workload;

import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * How often a workload comes to each of its keys: the four distributions of MTC's generator [1].
 * The first keys are the hottest. Immutable.
 *
 * <p>[1] Mini-transactions for checking strong isolation levels, section V-A1.
 */
public final class KeyDistribution {
  /** Of this share of the accesses go to that share of the keys, as in YCSB. */
  private static final double HOT_ACCESSES = 0.8;

  private static final double HOT_KEYS = 0.2;

  /** Of exponential: this share of the accesses goes to the first tenth of the keys. */
  private static final double FIRST_TENTH = 0.5;

  private static final double ZIPF = 0.99;

  private final Shape shape;
  private final double exponent;

  private enum Shape {
    UNIFORM,
    ZIPF,
    HOT_SPOT,
    EXPONENTIAL
  }

  private KeyDistribution(Shape shape, double exponent) {
    this.shape = shape;
    this.exponent = exponent;
  }

  /** Each key with a probability that falls with its rank to that power. */
  public static KeyDistribution zipf(double exponent) {
    return new KeyDistribution(Shape.ZIPF, exponent);
  }

  /**
   * The distribution of that name.
   *
   * @param label {@code uniform}, {@code zipf}, {@code hot-spot} or {@code exponential}
   * @throws IllegalArgumentException naming those that exist
   */
  public static KeyDistribution ofLabel(String label) {
    for (Shape shape : Shape.values()) {
      if (shape.name().toLowerCase(Locale.ROOT).replace('_', '-').equals(label)) {
        return new KeyDistribution(shape, ZIPF);
      }
    }
    throw new IllegalArgumentException(
        "'%s' is no distribution of keys; expected uniform, zipf, hot-spot or exponential"
            .formatted(label));
  }

  /** Draws keys from 0 to {@code keys - 1}. */
  public Keys over(int keys) {
    double[] sums = new double[keys];
    double sum = 0;
    for (int key = 0; key < keys; key++) {
      sum += weight(key, keys);
      sums[key] = sum;
    }
    return new Keys(sums);
  }

  private double weight(int key, int keys) {
    return switch (shape) {
      case UNIFORM -> 1;
      case ZIPF -> 1 / Math.pow(key + 1, exponent);
      case HOT_SPOT -> {
        int hot = Math.max(1, (int) Math.round(HOT_KEYS * keys));
        yield key < hot ? HOT_ACCESSES / hot : (1 - HOT_ACCESSES) / (keys - hot);
      }
      case EXPONENTIAL -> Math.pow(1 - FIRST_TENTH, 10.0 * key / keys);
    };
  }

  /** Draws keys; shared by all sessions. Immutable. */
  public static final class Keys {
    private final double[] sums;

    private Keys(double[] sums) {
      this.sums = sums;
    }

    /** How many there are. */
    int count() {
      return sums.length;
    }

    /** One key. */
    int next(SplittableRandom random) {
      double at = random.nextDouble() * sums[sums.length - 1];
      int index = Arrays.binarySearch(sums, at);
      return Math.min(index < 0 ? -index - 1 : index, sums.length - 1);
    }

    /** Different keys; no more than there are. */
    public int[] distinct(int count, SplittableRandom random) {
      int[] keys = new int[count];
      for (int i = 0; i < count; i++) {
        int key;
        do {
          key = next(random);
        } while (contains(keys, i, key));
        keys[i] = key;
      }
      return keys;
    }

    private static boolean contains(int[] keys, int length, int key) {
      for (int i = 0; i < length; i++) {
        if (keys[i] == key) {
          return true;
        }
      }
      return false;
    }
  }
}
