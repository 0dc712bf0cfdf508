package io.isotail.incremental.polygraph;

import io.isotail.incremental.window.Transaction;

/** A list read of a key, which shows the order of its versions. */
public record ListRead(Transaction reader, long key) {}
