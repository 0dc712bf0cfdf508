package io.isotail.ingest.postgres;

import org.jspecify.annotations.Nullable;

/** In which formats the columns of a result, or the parameters of a statement, come. */
final class Formats {
  /** All as text. */
  static final Formats TEXT = new Formats(new boolean[0]);

  /** As the server describes them: of a FETCH from a binary cursor. */
  static final Formats DESCRIBED = new Formats(null);

  private final boolean @Nullable [] codes;

  private Formats(boolean @Nullable [] codes) {
    this.codes = codes;
  }

  /** The format codes that stand at a position: one for each, or one for all, or none for text. */
  static Formats of(Message message, int position) {
    boolean[] codes = new boolean[message.int16(position)];
    for (int i = 0; i < codes.length; i++) {
      codes[i] = message.int16(position + 2 + 2 * i) == 1;
    }
    return new Formats(codes);
  }

  /** How many codes there are. */
  int codes() {
    boolean[] known = codes;
    return known == null ? 0 : known.length;
  }

  /** Whether a column or parameter is in binary format; they count from 0. */
  boolean isBinary(int number, @Nullable Columns described) {
    boolean[] known = codes;
    if (known == null) {
      return described != null
          && number < described.binary().size()
          && described.binary().get(number);
    }
    return known.length == 1 ? known[0] : number < known.length && known[number];
  }
}
