package io.isotail.incremental.witness;

import io.isotail.incremental.window.Transaction;

/** Finds the reads by which a transaction depends on another. */
final class Classifier {
  private Classifier() {}

  /** The first operation by which {@code reader} read anything from {@code writer}, or -1. */
  static int readFrom(Transaction reader, Transaction writer) {
    for (int i = 0; i < reader.readOperations.length; i++) {
      if (reader.readWriters[i] == writer) {
        return reader.readOperations[i];
      }
    }
    return -1;
  }

  /** Whether a transaction read another one's version of {@code key}. */
  static boolean reads(Transaction reader, long key) {
    for (int read : reader.readOperations) {
      if (reader.operations.key(read) == key) {
        return true;
      }
    }
    return false;
  }
}
