BEGIN { trace(jiffies); }
