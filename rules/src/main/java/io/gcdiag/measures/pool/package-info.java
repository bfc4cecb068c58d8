/** What a connection pool's own meters say. */
package io.gcdiag.measures.pool;
