package io.isotail.ingest.postgres;

/** Numbers of built-in types; they are the same in every PostgreSQL ({@code pg_type.dat}). */
final class Oids {
  static final int BOOL = 16;
  static final int BYTEA = 17;
  static final int INT8 = 20;
  static final int INT2 = 21;
  static final int INT4 = 23;
  static final int TEXT = 25;
  static final int BPCHAR = 1042;
  static final int VARCHAR = 1043;
  static final int NUMERIC = 1700;
  static final int UUID = 2950;

  private Oids() {}
}
