package io.isotail.ingest.generate;

/**
 * Zipf's distribution: the key of rank i is drawn in proportion to 1 / i^theta, in constant time
 * after one pass over the ranks, by the approximation of [1], page 247, which YCSB [2] uses with
 * theta 0.99.
 *
 * <p>Popular keys are scattered over the key space. Differs from [2]: ranks are mapped by a
 * permutation instead of a hash, which would let ranks fall together and leave a third of the keys
 * out.
 *
 * <p>[1] Gray, Sundaresan, Englert, Baclawski, Weinberger, Quickly Generating Billion-Record
 * Synthetic Databases, SIGMOD 1994. [2] Cooper, Silberstein, Tam, Ramakrishnan, Sears, Benchmarking
 * Cloud Serving Systems with YCSB, SoCC 2010.
 */
final class Zipfian implements KeyDistribution {
  private final int keys;
  private final double theta;
  private final double zetaN;
  private final double alpha;
  private final double eta;
  private final long stride;

  /** {@code theta} lies between 0 and 1, without them. */
  Zipfian(int keys, double theta) {
    this.keys = keys;
    this.theta = theta;
    double sum = 0;
    for (int i = keys; i >= 1; i--) {
      sum += Math.pow(i, -theta);
    }
    zetaN = sum;
    alpha = 1 / (1 - theta);
    double zeta2 = 1 + Math.pow(2, -theta);
    eta = keys <= 2 ? 0 : (1 - Math.pow(2.0 / keys, 1 - theta)) / (1 - zeta2 / zetaN);
    stride = coprime(keys);
  }

  @Override
  public int next(Prng random) {
    return (int) (rank(random.nextDouble()) * stride % keys);
  }

  /** From 0, the most popular. */
  private long rank(double u) {
    double uz = u * zetaN;
    if (uz < 1 || keys == 1) {
      return 0;
    }
    if (uz < 1 + Math.pow(0.5, theta) || keys == 2) {
      return 1;
    }
    return Math.min(keys - 1, (long) (keys * Math.pow(eta * u - eta + 1, alpha)));
  }

  /** A stride near the golden section, by which a walk around all keys meets each once. */
  private static long coprime(int keys) {
    long stride = Math.max(1, (long) (keys * 0.6180339887));
    while (gcd(stride, keys) != 1) {
      stride++;
    }
    return stride;
  }

  private static long gcd(long a, long b) {
    return b == 0 ? a : gcd(b, a % b);
  }
}
