/** Connection pools: size, demand, holds, and connections that are not returned. */
package io.gcdiag.causes.pool;
