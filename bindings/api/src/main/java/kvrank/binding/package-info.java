/**
 * Interfaces that a binding may implement in addition to {@link site.ycsb.DB}, and what they use.
 */
package kvrank.binding;
