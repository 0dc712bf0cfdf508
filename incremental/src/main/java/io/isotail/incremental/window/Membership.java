package io.isotail.incremental.window;

/** What a strong level's graph keeps of a transaction. */
public interface Membership {}
