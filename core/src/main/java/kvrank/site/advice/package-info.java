/** Comparisons of engines by use and level, and the sentences about them: engines to reach for. */
package kvrank.site.advice;
