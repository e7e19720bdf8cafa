/* Some code in a library, for the tests of modules. */
__attribute__((visibility("default"))) int gmt_sample_function(void);

int gmt_sample_function(void)
{
    return 1;
}
